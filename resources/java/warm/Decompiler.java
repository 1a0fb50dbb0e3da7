package warm;

import java.nio.file.Path;
import java.util.Map;

/** A decompiler that stays loaded. What it does must equal what its command line does with the preset's options. */
interface Decompiler {
    /**
     * Decompiles every class of {@code jar}.
     *
     * @param sources receives the text of each file, encoded in UTF-8, by its path: {@code a/B.java}
     */
    void decompile(Path jar, Map<String, byte[]> sources) throws Exception;

    /** The same for a candidate that is {@link Candidate#plain}: what is known of the JDK's classes may be used again. */
    default void decompilePlain(Path jar, Map<String, byte[]> sources) throws Exception {
        decompile(jar, sources);
    }

    /** Whether the classes of a candidate, taken one by one, have the sources that they have together. */
    default boolean takesOneByOne(Candidate candidate) {
        return true;
    }

    /**
     * Decompiles one class, seeing of the candidate only what it asks {@code view} for; does nothing if the class is
     * a part of another one. State that other classes leave behind is not used.
     *
     * @param name internal name, {@code a/B}
     */
    void decompileOne(String name, View view, Map<String, byte[]> sources) throws Exception;
}
