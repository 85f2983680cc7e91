package sdkbench.launcher;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The writing end of the pipe: numbered JSON lines that carry the run's nonce. */
final class Records {
    private final FileOutputStream pipe;
    private final String nonce;
    private int number;

    Records(FileOutputStream pipe, String nonce) {
        this.pipe = pipe;
        this.nonce = nonce;
    }

    /** Several threads may report when tests run in parallel. */
    synchronized void send(String kind, Map<String, Object> fields) {
        StringBuilder line = new StringBuilder("{\"nonce\":");
        text(line, nonce);
        line.append(",\"number\":").append(number++).append(",\"kind\":");
        text(line, kind);
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            line.append(',');
            text(line, field.getKey());
            line.append(':');
            value(line, field.getValue());
        }
        line.append("}\n");
        try {
            pipe.write(line.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(3);
        }
    }

    private static void value(StringBuilder line, Object value) {
        if (value instanceof List) {
            line.append('[');
            String separator = "";
            for (Object item : (List<?>) value) {
                line.append(separator);
                value(line, item);
                separator = ",";
            }
            line.append(']');
        } else if (value instanceof Integer || value instanceof Boolean) {
            line.append(value);
        } else if (value instanceof Double) {
            line.append(String.format(Locale.ROOT, "%.6f", (Double) value));
        } else if (value == null) {
            line.append("null");
        } else {
            text(line, (String) value);
        }
    }

    private static void text(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter < ' ' || letter > '~' || letter == '"' || letter == '\\') {
                line.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    line.append("0123456789abcdef".charAt(letter >> shift & 15));
                }
            } else {
                line.append(letter);
            }
        }
        line.append('"');
    }
}
