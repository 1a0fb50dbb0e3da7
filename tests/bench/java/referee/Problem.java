package referee;

import java.util.regex.Pattern;

/**
 * One finding. {@code level} is "jvm" for what breaks loading, linking, resolution or dispatch, and "src" for what
 * only a source program or reflection would miss; what {@link Reflection} finds has the level "reflection". {@code target} is what is missing or wrong, without offsets, so that
 * findings in two versions of a class can be compared.
 */
record Problem(String type, String level, String kind, String target, String message) implements Comparable<Problem> {
    private static final Pattern NOISE =
            Pattern.compile(" \\([^()]*(?:in module|in unnamed module)[^()]*\\)| @[0-9a-f]{4,}");

    /** The error's first line without names of loaders; for an error of the verifier also place and reason. */
    static String text(Throwable error) {
        String text = error.getMessage() == null ? "" : error.getMessage();
        String[] lines = text.split("\n");
        StringBuilder result = new StringBuilder(error.getClass().getSimpleName());
        if (lines.length > 0 && !lines[0].isEmpty()) {
            result.append(": ").append(NOISE.matcher(lines[0]).replaceAll(""));
        }
        for (int i = 1; i + 1 < lines.length; i++) {
            if (lines[i].strip().equals("Location:") || lines[i].strip().equals("Reason:")) {
                result.append("; ").append(lines[i + 1].strip());
            }
        }
        return result.toString();
    }

    /** The method in which the verifier stopped, or the error's own first line. */
    static String place(Throwable error) {
        String text = error.getMessage() == null ? "" : error.getMessage();
        String[] lines = text.split("\n");
        for (int i = 0; i + 1 < lines.length; i++) {
            if (lines[i].strip().equals("Location:")) {
                return lines[i + 1].strip().replaceAll(" @\\d+.*", "");
            }
        }
        return NOISE.matcher(lines.length > 0 ? lines[0] : "").replaceAll("").replaceAll("offset \\d+", "offset");
    }

    String json(String jar) {
        return "{\"jar\":" + quoted(jar) + ",\"class\":" + quoted(type) + ",\"level\":" + quoted(level) + ",\"kind\":"
                + quoted(kind) + ",\"target\":" + quoted(target) + ",\"message\":" + quoted(message) + "}";
    }

    static String quoted(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                result.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                result.append(String.format("\\u%04x", (int) c));
            } else {
                result.append(c);
            }
        }
        return result.append('"').toString();
    }

    @Override
    public int compareTo(Problem other) {
        return key().compareTo(other.key());
    }

    private String key() {
        return String.join("\0", type, level, kind, target, message);
    }
}
