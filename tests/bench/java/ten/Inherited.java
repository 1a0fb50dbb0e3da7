import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** V of the superclass is a list of V here: Vineflower 1.12.0 casts the list to V. */
class Inherited<K, V> extends LinkedHashMap<K, List<V>> {
    void map(K key, V value) {
        List<V> values = get(key);
        if (values == null) {
            values = new ArrayList<V>();
            super.put(key, values);
        }
        values.add(value);
    }
}
