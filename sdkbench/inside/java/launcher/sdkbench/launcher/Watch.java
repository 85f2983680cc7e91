package sdkbench.launcher;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Containers too: a method with parameters is one. */
    void begin(TestIdentifier test) {
        test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .ifPresent(this::begin);
    }

    /** A method may be inherited: then it stands in another class. */
    private void begin(MethodSource method) {
        for (Class<?> each = method.getJavaClass(); each != null; each = each.getSuperclass()) {
            entry.begin(each.getName() + "#" + method.getMethodName());
        }
    }

    private void tell(String message) {
        if (told.compareAndSet(false, true)) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("message", message);
            records.send("tampered", fields);
        }
    }
}
