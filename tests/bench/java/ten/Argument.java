/** The cast of an argument, without which the type behind new is not inferred: Vineflower 1.12.0 leaves it out. */
class Argument<E extends Enum<E>> {
    Argument(Class<E> type) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Argument<?> of(Class<?> type) {
        return type.isEnum() ? new Argument<>((Class<? extends Enum>) type) : null;
    }
}
