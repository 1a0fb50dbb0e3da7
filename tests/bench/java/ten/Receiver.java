import java.util.Deque;

/** The cast of a receiver whose type has a wildcard: Vineflower 1.12.0 leaves it out. */
class Receiver<X> {
    Receiver<X> next;

    @SuppressWarnings("unchecked")
    static <X> void link(Deque<Receiver<?>> stack, Receiver<X> last) {
        ((Receiver<X>) stack.getLast()).next = last;
    }
}
