package referee;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A jar as one version of Java sees it: class files by internal name, and the other entries. */
record Input(Map<String, byte[]> classes, Map<String, byte[]> files) {
    private static final String VERSIONS = "META-INF/versions/";
    private static final String WEB = "WEB-INF/classes/";

    /** The jar as it is, and if it is a multi-release jar also with the copies for the running Java laid over. */
    static List<Input> read(Path jar) throws Exception {
        Map<String, byte[]> classes = new TreeMap<>();
        Map<String, byte[]> files = new TreeMap<>();
        Map<Integer, Map<String, byte[]>> versions = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (entry.isDirectory()) {
                    continue;
                }
                byte[] data;
                try (InputStream stream = zip.getInputStream(entry)) {
                    data = stream.readAllBytes();
                }
                if (!name.endsWith(".class")) {
                    files.put(name, data);
                    continue;
                }
                name = name.substring(0, name.length() - ".class".length());
                if (name.startsWith(WEB)) {
                    name = name.substring(WEB.length());
                }
                if (name.matches(VERSIONS + "\\d+/.+")) {
                    String[] parts = name.substring(VERSIONS.length()).split("/", 2);
                    versions.computeIfAbsent(Integer.valueOf(parts[0]), key -> new TreeMap<>()).put(parts[1], data);
                } else {
                    classes.put(name, data);
                }
            }
        }
        List<Input> inputs = new ArrayList<>();
        inputs.add(new Input(classes, files));
        if (!versions.isEmpty() && isMultiRelease(files.get("META-INF/MANIFEST.MF"))) {
            Map<String, byte[]> overlaid = new TreeMap<>(classes);
            versions.forEach((version, copies) -> {
                if (version <= Runtime.version().feature()) {
                    overlaid.putAll(copies);
                }
            });
            inputs.add(new Input(overlaid, files));
        }
        return inputs;
    }

    /** The packages of all classes in a jar, with dots. */
    static Set<String> packages(Path jar) throws Exception {
        Set<String> packages = new HashSet<>();
        for (Input input : read(jar)) {
            for (String name : input.classes().keySet()) {
                packages.add(name.substring(0, Math.max(0, name.lastIndexOf('/'))).replace('/', '.'));
            }
        }
        return packages;
    }

    private static boolean isMultiRelease(byte[] manifest) throws Exception {
        return manifest != null
                && "true".equalsIgnoreCase(new Manifest(new java.io.ByteArrayInputStream(manifest))
                        .getMainAttributes()
                        .getValue(new Attributes.Name("Multi-Release")));
    }
}
