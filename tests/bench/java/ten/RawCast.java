import java.util.Comparator;

/** A cast to a raw type in a conditional expression: Vineflower 1.12.0 leaves it out. */
class RawCast<K> {
    @SuppressWarnings("rawtypes")
    private static final Comparator<Comparable> NATURAL = null;
    Comparator<? super K> order;

    @SuppressWarnings({"unchecked", "rawtypes"})
    RawCast(Comparator<? super K> order) {
        this.order = order != null ? order : (Comparator) NATURAL;
    }
}
