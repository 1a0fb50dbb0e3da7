import java.util.Map;

/** A cast with wildcards: Vineflower 1.12.0 writes the raw type, whose entries are plain objects. */
class Wildcards {
    static int keys(Object value) {
        int sum = 0;
        if (value instanceof Map) {
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) sum += entry.getKey().hashCode();
        }
        return sum;
    }
}
