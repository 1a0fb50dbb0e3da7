package sample.eval;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Names with what they stand for; an inner scope hides the names of the outer one. */
public final class Scope<V> {
    private Frame<V> top = new Frame<>(null);

    public void define(String name, V value) {
        top.values.put(name, value);
    }

    public V find(String name) {
        for (Frame<V> frame = top; frame != null; frame = frame.outer) {
            V value = frame.values.get(name);
            if (value != null) {
                return value;
            }
        }
        throw new EvaluationException("unknown name " + name);
    }

    public <R> R nested(Supplier<R> action) {
        top = new Frame<>(top);
        try {
            return action.get();
        } finally {
            top = top.outer;
        }
    }

    private static final class Frame<V> {
        private final Frame<V> outer;
        private final Map<String, V> values = new HashMap<>();

        Frame(Frame<V> outer) {
            this.outer = outer;
        }
    }
}
