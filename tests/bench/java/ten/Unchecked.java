/** An unchecked cast behind instanceof: Vineflower 1.12.0 makes a pattern of it, which must be a safe cast. */
class Unchecked {
    @SuppressWarnings("unchecked")
    static int compare(Object one, Object other) {
        if (one instanceof Comparable<?>) {
            Comparable<Object> known = (Comparable<Object>) one;
            return known.compareTo(other);
        }
        return 0;
    }
}
