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
    private final Map<String, List<String>> families = new HashMap<>();

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

    /** As {@link Candidate#family}. */
    synchronized List<String> family(String outer) {
        return families.computeIfAbsent(outer, candidate::family);
    }

    /** The class of the candidate that a nested class is in, by its name, and a class that is in none itself. */
    String outermost(String name) {
        for (int dollar = name.indexOf('$', 1); dollar > 0; dollar = name.indexOf('$', dollar + 1)) {
            if (bytes(name.substring(0, dollar)) != null) {
                return name.substring(0, dollar);
            }
        }
        return name;
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
        for (Map.Entry<String, List<String>> entry : families.entrySet()) {
            if (!entry.getValue().equals(other.family(entry.getKey()))) {
                return false;
            }
        }
        if (missed.size() < other.names().size()) {
            return missed.stream().noneMatch(other.names()::contains);
        }
        return other.names().stream().noneMatch(missed::contains);
    }
}
