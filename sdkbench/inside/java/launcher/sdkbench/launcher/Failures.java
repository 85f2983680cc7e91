package sdkbench.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is told of a thrown object, which may be of a class of the judged code. */
final class Failures {
    private static final int MAX_TRACE = 16 * 1024;
    private static final int SHORT_TRACE = 1024;
    private static final int MAX_MESSAGE = 4 * 1024;

    private Failures() {}

    static Map<String, Object> fields(Throwable thrown, String className, boolean full) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("message", message(thrown));
        fields.put("class", className);
        fields.put("line", line(thrown, className));
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

    /** Where in the test class it went wrong. */
    private static Integer line(Throwable thrown, String className) {
        try {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                String name = frame.getClassName();
                if (name.equals(className) || name.startsWith(className + "$")) {
                    return frame.getLineNumber();
                }
            }
        } catch (Throwable itself) {
            return null;
        }
        return null;
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
