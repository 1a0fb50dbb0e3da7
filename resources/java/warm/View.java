package warm;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A candidate as one class's decompilation sees it, and the record of what it saw. */
final class View {
    private Candidate candidate;
    private final Map<String, String> found = new HashMap<>();
    private final Set<String> missed = new HashSet<>();
    private final Map<String, List<String>> nested = new HashMap<>();

    View(Candidate candidate) {
        this.candidate = candidate;
    }

    /** The class file, or null. */
    synchronized byte[] bytes(String name) {
        byte[] bytes = candidate.bytes(name);
        if (bytes == null) {
            missed.add(name);
        } else {
            found.put(name, candidate.digest(name));
        }
        return bytes;
    }

    /** As {@link Candidate#outermost}, of any class. */
    String outermost(String name) {
        return Nesting.outermost(name, asked -> {
            byte[] bytes = bytes(asked);
            return bytes == null ? null : Nesting.placed(asked, bytes);
        });
    }

    /** As {@link Candidate#nested}. */
    synchronized List<String> nested(String outer) {
        return nested.computeIfAbsent(outer, candidate::nested);
    }

    /** Ends the recording, and lets the candidate go. */
    synchronized void seal() {
        candidate = null;
    }

    /** Whether {@code other} would have answered all the same. */
    synchronized boolean holdsFor(Candidate other) {
        for (Map.Entry<String, String> entry : found.entrySet()) {
            if (!entry.getValue().equals(other.digest(entry.getKey()))) {
                return false;
            }
        }
        for (Map.Entry<String, List<String>> entry : nested.entrySet()) {
            if (!entry.getValue().equals(other.nested(entry.getKey()))) {
                return false;
            }
        }
        if (missed.size() < other.names().size()) {
            return missed.stream().noneMatch(other.names()::contains);
        }
        return other.names().stream().noneMatch(missed::contains);
    }
}
