package sdkbench.entry;

import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import sdkbench.loader.TestLoader;

/**
 * Tests begin here: whoever compiles them puts a call of {@link #check} before all else in their
 * methods. A test is run by JUnit, on behalf of our launcher. Judged code that runs one itself, to
 * see which behaviour passes, is told by what called the test.
 */
public final class Entry {
    private static final StackWalker FRAMES = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));
    private static final String LAUNCHER = "sdkbench.launcher.Main";
    private static final String LAMBDA_BODY = "lambda$";

    private static Entry installed;

    private final Set<Class<?>> classes;
    private final String solution;
    private final boolean threads;
    private final Consumer<String> report;
    /** class#method of each test → where it was entered since it began. */
    private final Map<String, Place> tests = new ConcurrentHashMap<>();

    private enum Place { NOT_YET, NOWHERE, BELOW_THE_LAUNCHER, IN_A_THREAD }

    private Entry(Set<Class<?>> classes, String solution, boolean threads, Consumer<String> report) {
        this.classes = classes;
        this.solution = solution;
        this.threads = threads;
        this.report = report;
    }

    /**
     * `classes` are the tests'; `solution` is the jar of the judged code. With `threads`, JUnit may
     * run a test in a thread of its own. Only the first caller, which is our launcher, gets what
     * watches the tests; all others get nothing.
     */
    public static synchronized Entry install(
            Set<Class<?>> classes, String solution, boolean threads, Consumer<String> report) {
        if (installed != null) {
            return null;
        }
        installed = new Entry(classes, solution, threads, report);
        return installed;
    }

    /** JUnit will run this test, class#method, but not now. */
    public void expect(String test) {
        tests.putIfAbsent(test, Place.NOT_YET);
    }

    /** JUnit is about to run this test, class#method. */
    public void begin(String test) {
        tests.put(test, Place.NOWHERE);
    }

    /** The first thing that a method of a test class does. */
    public static void check() {
        Entry entry = installed;
        if (entry == null) {
            return;
        }
        String stranger = FRAMES.walk(all -> entry.stranger(all.skip(1).iterator()));
        if (stranger != null) {
            entry.report.accept(stranger);
            throw new IllegalStateException(stranger);
        }
    }

    /** Who entered the test, if neither JUnit nor a test did. */
    private String stranger(Iterator<StackFrame> frames) {
        StackFrame own = frames.next();
        String name = named(own);
        if (own.getMethodName().startsWith(LAMBDA_BODY)) {
            return strangerOfPart(name, frames);
        }
        return tests.containsKey(name) ? strangerOfTest(name, frames) : null;
    }

    /** A part of a test, such as what it expects to throw, is called as often as the callee likes,
     * but only judged code that looks for it calls it by reflection. */
    private String strangerOfPart(String name, Iterator<StackFrame> frames) {
        boolean reflected = false;
        while (frames.hasNext()) {
            Class<?> caller = frames.next().getDeclaringClass();
            if (caller.getModule() != Object.class.getModule()) {
                return reflected && isForeign(caller) ? told(name, caller.getName()) : null;
            }
            String place = caller.getPackageName();
            if (!reflected && !isReflection(place)) {
                return null;
            }
            reflected = true;
        }
        return reflected ? told(name, "a thread") : null;
    }

    /**
     * No frame down to the launcher's may be of judged code. For a time limit JUnit runs a test in a
     * thread, instead of below the launcher and once. Within a test, only tests call another by its name.
     */
    private String strangerOfTest(String name, Iterator<StackFrame> frames) {
        boolean byTests = false;
        boolean byName = false;
        for (boolean first = true; frames.hasNext(); first = false) {
            StackFrame frame = frames.next();
            Class<?> caller = frame.getDeclaringClass();
            byName |= first && classes.contains(caller);
            if (isForeign(caller)) {
                return told(name, caller.getName());
            }
            if (!byName && classes.contains(caller) && tests.containsKey(named(frame))) {
                return told(name, named(frame));
            }
            if (caller.getModule() == Entry.class.getModule() && caller.getName().equals(LAUNCHER)) {
                Place before = tests.put(name, Place.BELOW_THE_LAUNCHER);
                return before == Place.IN_A_THREAD ? told(name, "a thread") : null;
            }
            byTests |= classes.contains(caller);
        }
        if (byTests) {
            return null;
        }
        Place before = tests.put(name, Place.IN_A_THREAD);
        return threads && before == Place.NOWHERE ? null : told(name, "a thread");
    }

    private static String named(StackFrame frame) {
        return frame.getDeclaringClass().getName() + "#" + frame.getMethodName();
    }

    /**
     * Judged code, and classes of nobody knows whom; not the JDK, JUnit, tests or libraries. Where a class
     * says that it comes from is no evidence: judged code may define some on behalf of any class that it sees.
     */
    private boolean isForeign(Class<?> caller) {
        if (caller.getModule().isNamed()) {
            return caller.getModule().getLayer() == null; // made while we run, for a proxy
        }
        // What the virtual machine makes of a lambda: no other class has such a name.
        Class<?> known = caller.getName().indexOf('/') < 0 ? caller : caller.getNestHost();
        return !classes.contains(known) && !TestLoader.isOfALibrary(known, solution);
    }

    private static boolean isReflection(String place) {
        return place.equals("java.lang.reflect") || place.equals("jdk.internal.reflect")
                || place.equals("java.lang.invoke");
    }

    private static String told(String name, String caller) {
        return name + " was run by " + caller + ", not by JUnit";
    }
}
