package sdkbench.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import sdkbench.entry.Entry;

/** Has every test that begins watched: only JUnit may run it. */
final class Watch {
    private final Records records;
    private final Entry entry;
    private final AtomicBoolean told = new AtomicBoolean();

    /** To be made before any judged code runs. */
    Watch(Set<Class<?>> classes, String solution, boolean threads, Records records) {
        this.records = records;
        this.entry = Entry.install(Set.copyOf(classes), solution, threads, this::tell);
    }

    void expect(TestIdentifier test) {
        methods(test).forEach(entry::expect);
    }

    /** Containers too: a method with parameters is one. */
    void begin(TestIdentifier test) {
        methods(test).forEach(entry::begin);
    }

    /** A method may be inherited: then it stands in another class. */
    private static List<String> methods(TestIdentifier test) {
        List<String> names = new ArrayList<>();
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            MethodSource method = (MethodSource) source;
            for (Class<?> each = method.getJavaClass(); each != null; each = each.getSuperclass()) {
                names.add(each.getName() + "#" + method.getMethodName());
            }
        }
        return names;
    }

    private void tell(String message) {
        if (told.compareAndSet(false, true)) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("message", message);
            records.send("tampered", fields);
        }
    }
}
