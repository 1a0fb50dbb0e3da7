package referee;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Entries that name classes: the module descriptor and the lists of service providers. */
final class Descriptors {
    private static final String SERVICES = "META-INF/services/";

    private final Candidate candidate;
    private final Problems problems;

    Descriptors(Candidate candidate, Problems problems) {
        this.candidate = candidate;
        this.problems = problems;
    }

    void check(Input input) {
        byte[] module = input.classes().get("module-info");
        if (module != null) {
            module(input, module);
        }
        input.files().forEach((name, content) -> {
            if (name.startsWith(SERVICES) && name.indexOf('/', SERVICES.length()) < 0) {
                services(name, new String(content, StandardCharsets.UTF_8));
            }
        });
    }

    private void module(Input input, byte[] content) {
        Set<String> packages = new TreeSet<>();
        for (String name : input.classes().keySet()) {
            if (name.indexOf('/') > 0) {
                packages.add(name.substring(0, name.lastIndexOf('/')).replace('/', '.'));
            }
        }
        try {
            ModuleDescriptor descriptor =
                    ModuleDescriptor.read(new ByteArrayInputStream(content), () -> packages);
            descriptor.uses().forEach(name -> present("uses", name));
            descriptor.provides().forEach(provides -> {
                present("provides", provides.service());
                provides.providers().forEach(name -> present("provides", name));
            });
            descriptor.mainClass().ifPresent(name -> present("main class", name));
        } catch (IOException | RuntimeException error) {
            problems.jvm("module-info", "module", Problem.place(error), error.toString());
        }
    }

    private void present(String what, String name) {
        if (!candidate.has(name.replace('.', '/'))) {
            problems.jvm("module-info", "module", name, what + ": it is missing");
        }
    }

    private void services(String file, String text) {
        for (String line : text.split("\r\n|\n|\r")) {
            String name = line.replaceAll("#.*", "").strip();
            if (!name.isEmpty() && !candidate.has(name.replace('.', '/'))) {
                problems.jvm(file, "service", name, "the provider is missing");
            }
        }
    }
}
