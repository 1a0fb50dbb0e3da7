package evidence;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.jar.JarInputStream;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * Notes which classes a program loads, which entries of zip files and which files it asks for, and what is left by an
 * exception or was under way at the end. Options: the file to
 * write to, this jar, and the jar of ASM, divided by semicolons. It never fails: what cannot be noted is not noted.
 */
public final class Agent {
    private Agent() {}

    public static void premain(String options, Instrumentation instrumentation) {
        try {
            String[] words = options.split(";");
            Notes.begin(words[0]);
            instrumentation.addTransformer(new Loads());
            // ASM stays out of sight of the program, which may have another one
            URL[] places = {new File(words[1]).toURI().toURL(), new File(words[2]).toURI().toURL()};
            ClassLoader apart = new URLClassLoader(places, null);
            ClassFileTransformer reads = made(apart, "evidence.Reads");
            instrumentation.addTransformer(made(apart, "evidence.Lines"));
            instrumentation.addTransformer(reads, true);
            instrumentation.retransformClasses(
                    ZipFile.class, ClassLoader.class, FileInputStream.class, FileOutputStream.class, Files.class,
                    Throwable.class, ZipInputStream.class, JarInputStream.class);
        } catch (Throwable problem) {
            Notes.note("X", problem.toString());
        }
    }

    private static ClassFileTransformer made(ClassLoader loader, String name) throws ReflectiveOperationException {
        return (ClassFileTransformer) loader.loadClass(name).getConstructor().newInstance();
    }
}
