package referee;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The findings about one jar, each once. */
final class Problems {
    /** Whether findings of level "src" are asked for. */
    final boolean src;

    private final Set<Problem> found = new TreeSet<>();

    Problems(boolean src) {
        this.src = src;
    }

    /** Something that breaks in the virtual machine. */
    void jvm(String type, String kind, String target, String message) {
        found.add(new Problem(type, "jvm", kind, target, message));
    }

    /** Something that only a source program or reflection would miss. */
    void src(String type, String kind, String target, String message) {
        if (src) {
            found.add(new Problem(type, "src", kind, target, message));
        }
    }

    /** Something that reflection cannot read. */
    void reflection(String type, String section, String target, String message) {
        found.add(new Problem(type, "reflection", section, target, message));
    }

    Collection<Problem> sorted() {
        return found;
    }
}
