package sdkbench.launcher;

import java.util.List;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestIdentifier;

/** Names of tests that are the same in every run: shop.CartTest$WhenEmpty::adds(int)[2]. */
final class Ids {
    private Ids() {}

    static String of(TestIdentifier test) {
        String name = className(test);
        StringBuilder rest = new StringBuilder();
        for (UniqueId.Segment segment : segments(test)) {
            String value = segment.getValue();
            switch (segment.getType()) {
                case "engine":
                case "class":
                case "nested-class":
                case "runner":
                    break;
                case "test-template-invocation":
                case "dynamic-test":
                case "dynamic-container":
                    rest.append('[').append(value.replace("#", "")).append(']');
                    break;
                default:
                    // JUnit 4 repeats the class in parentheses; JUnit 5 names no parameters as ().
                    value = value.replace("(" + name + ")", "").replace("()", "");
                    rest.append(rest.length() == 0 ? "" : "/").append(value);
            }
        }
        return rest.length() == 0 ? name : name + "::" + rest;
    }

    static String className(TestIdentifier test) {
        String name = "";
        for (UniqueId.Segment segment : segments(test)) {
            switch (segment.getType()) {
                case "class":
                case "runner":
                    name = segment.getValue();
                    break;
                case "nested-class":
                    name += "$" + segment.getValue();
                    break;
                default:
            }
        }
        return name;
    }

    private static List<UniqueId.Segment> segments(TestIdentifier test) {
        return UniqueId.parse(test.getUniqueId()).getSegments();
    }
}
