package listening;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/**
 * A plug-in of javac that keeps each source file: below the folder that it is given, by the path by which javac's
 * messages name the file. It never fails, and no file is overwritten: what cannot be kept is not kept.
 */
public final class KeptSources implements Plugin {
    @Override
    public String getName() {
        return "JarletKeptSources";
    }

    @Override
    public void init(JavacTask task, String... arguments) {
        Path folder = Paths.get(String.join(" ", arguments)).normalize();
        task.addTaskListener(new TaskListener() {
            @Override
            public void started(TaskEvent event) {
                if (event.getKind() == TaskEvent.Kind.PARSE) {
                    keep(event, folder);
                }
            }

            @Override
            public void finished(TaskEvent event) {}
        });
    }

    private static void keep(TaskEvent event, Path folder) {
        try {
            Path named = Paths.get(event.getSourceFile().getName());
            Path root = named.getRoot();
            Path place = folder.resolve(root == null ? named : root.relativize(named)).normalize();
            if (place.startsWith(folder)) {
                Files.createDirectories(place.getParent());
                byte[] text = event.getSourceFile().getCharContent(true).toString().getBytes(StandardCharsets.UTF_8);
                Files.write(place, text, StandardOpenOption.CREATE_NEW);
            }
        } catch (IOException | RuntimeException problem) {
            // not kept
        }
    }
}
