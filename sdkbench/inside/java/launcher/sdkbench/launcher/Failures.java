package sdkbench.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is told of a thrown object, which may be of a class of the judged code. */
final class Failures {
    private static final int MAX_TRACE = 16 * 1024;
    private static final int SHORT_TRACE = 1024;
    private static final int MAX_MESSAGE = 4 * 1024;
    private static final int MAX_CAUSES = 50;
    private static final int MAX_FRAMES = 100;

    private Failures() {}

    static Map<String, Object> fields(Throwable thrown, String className, boolean full) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Throwable cause = cause(thrown);
        fields.put("message", message(thrown, cause));
        fields.put("class", className);
        List<Object> frames = frames(cause);
        frames.addAll(frames(thrown)); // where the cause tells of no place that anybody knows
        fields.put("frames", frames);
        fields.put("trace", cut(trace(thrown), full ? MAX_TRACE : SHORT_TRACE));
        return fields;
    }

    /** "expected: <3> but was: <4>"; other exceptions say their type as well. */
    static String message(Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        try {
            String text = thrown instanceof AssertionError ? thrown.getMessage() : thrown.toString();
            return cut(text == null ? thrown.getClass().getName() : text, MAX_MESSAGE);
        } catch (Throwable itself) {
            return thrown.getClass().getName();
        }
    }

    /** The first line says where it began, too. */
    private static String message(Throwable thrown, Throwable cause) {
        String text = message(thrown);
        if (cause == thrown) {
            return text;
        }
        String began = described(cause);
        if (text.contains(began)) {
            return text;
        }
        int end = text.indexOf('\n') < 0 ? text.length() : text.indexOf('\n');
        return cut(text.substring(0, end) + " (caused by " + began + ")" + text.substring(end), MAX_MESSAGE);
    }

    private static String described(Throwable thrown) {
        try {
            return cut(String.valueOf(thrown.toString()), MAX_MESSAGE / 2);
        } catch (Throwable itself) {
            return thrown.getClass().getName();
        }
    }

    /** The innermost cause; of a circle, or where judged code gives none, what is known by then. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        try {
            for (int depth = 0; depth < MAX_CAUSES && cause.getCause() != null; depth++) {
                cause = cause.getCause();
            }
        } catch (Throwable itself) {
            return cause;
        }
        return cause;
    }

    /** Classes and lines, the deepest first. */
    private static List<Object> frames(Throwable thrown) {
        List<Object> frames = new ArrayList<>();
        try {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                if (frame.getLineNumber() > 0 && frames.size() < MAX_FRAMES) {
                    frames.add(frame.getClassName() + ":" + frame.getLineNumber());
                }
            }
        } catch (Throwable itself) {
            return frames;
        }
        return frames;
    }

    private static String trace(Throwable thrown) {
        try {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text, true));
            return text.toString();
        } catch (Throwable itself) {
            return "";
        }
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length) + " …";
    }
}
