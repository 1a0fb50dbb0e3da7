package warm;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decompiles class by class, and keeps each class's source as long as all that its decompilation saw of the candidate
 * is the same. Candidates of a reduction differ in few classes, so most sources are known.
 *
 * <p>A class by itself takes longer than as one of many, since those share what they read of the library. So a
 * candidate of which little is known is left to {@link Decompiler#decompile}, unless it is much like the one before:
 * then the next ones will be too, and it pays to know them.
 */
final class Reuse {
    private static final int VERSIONS = 8;
    private static final long MOST_BYTES = 64L << 20;
    /** Share of classes that may be unknown. */
    private static final double FEW = 0.3;
    /** Share of classes that a candidate must have in common with the one before to be much like it. */
    private static final double ALIKE = 0.7;

    private final Decompiler decompiler;
    private final Map<String, ArrayDeque<Known>> known = new HashMap<>();
    private long bytes;
    private Candidate before;

    Reuse(Decompiler decompiler) {
        this.decompiler = decompiler;
    }

    /** Whether it did it; the first candidate is always taken, so that the way is tried on the whole input. */
    boolean decompile(Candidate candidate, Map<String, byte[]> sources) {
        if (!candidate.nestingAgrees() || !decompiler.takesOneByOne(candidate)) {
            return false;
        }
        Map<String, Known> found = new HashMap<>();
        for (String name : candidate.names()) {
            Known version = find(name, candidate);
            if (version != null) {
                found.put(name, version);
            }
        }
        int count = candidate.names().size();
        boolean worth = before == null
                || count - found.size() <= FEW * count
                || candidate.common(before) >= ALIKE * count;
        before = candidate;
        if (!worth) {
            return false;
        }
        for (String name : candidate.names()) {
            Known version = found.get(name);
            sources.putAll(version != null ? version.sources : one(name, candidate));
        }
        return true;
    }

    private Known find(String name, Candidate candidate) {
        ArrayDeque<Known> versions = known.computeIfAbsent(name, key -> new ArrayDeque<>());
        for (Known version : versions) {
            if (version.view.holdsFor(candidate)) {
                versions.remove(version);
                versions.addFirst(version);
                return version;
            }
        }
        return null;
    }

    private Map<String, byte[]> one(String name, Candidate candidate) {
        View view = new View(candidate);
        view.bytes(name);
        Map<String, byte[]> sources = new TreeMap<>();
        try {
            decompiler.decompileOne(name, view, sources);
        } catch (Exception | LinkageError | AssertionError failure) {
            failure.printStackTrace();
        } catch (StackOverflowError failure) {
            failure.printStackTrace();
            return sources; // depends on more than the classes: not kept
        }
        view.seal();
        keep(known.computeIfAbsent(name, key -> new ArrayDeque<>()), new Known(view, sources));
        return sources;
    }

    private void keep(ArrayDeque<Known> versions, Known version) {
        versions.addFirst(version);
        bytes += version.size();
        if (versions.size() > VERSIONS) {
            bytes -= versions.removeLast().size();
        }
        if (bytes > MOST_BYTES) {
            known.clear();
            bytes = 0;
        }
    }

    private static final class Known {
        final View view;
        final Map<String, byte[]> sources;

        Known(View view, Map<String, byte[]> sources) {
            this.view = view;
            this.sources = sources;
        }

        long size() {
            return sources.values().stream().mapToLong(source -> source.length).sum();
        }
    }
}
