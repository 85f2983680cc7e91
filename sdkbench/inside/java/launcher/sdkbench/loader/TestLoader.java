package sdkbench.loader;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The system's class loader where tests run: as the usual one, but that test classes come from
 * memory. They are on no disk, and once loaded can't be read again: so nobody can run them elsewhere.
 * It is of our module, so that judged code can't reach into it by reflection.
 */
public final class TestLoader extends URLClassLoader {
    private static final String PATH = "sdkbench.class.path";

    static {
        registerAsParallelCapable();
    }

    /** Classes that were looked for by their names and found on the class path, with where that was. */
    private static final Map<Class<?>, String> FOUND = new ConcurrentHashMap<>();

    private static TestLoader first; // the virtual machine's, before any judged code

    private Map<String, byte[]> waiting = new HashMap<>();
    private boolean defined;

    /** Called by the virtual machine. */
    public TestLoader(ClassLoader parent) {
        super("app", urls(System.getProperty(PATH)), parent);
        first = first == null ? this : first;
    }

    /**
     * Loads these classes, by their names, and initialises none. One that can't be loaded is left
     * out: whoever needs it will miss it. Only the first call has a say, which is the launcher's.
     */
    public synchronized Set<Class<?>> define(Map<String, byte[]> classes) {
        Set<Class<?>> loaded = new LinkedHashSet<>();
        if (defined) {
            return loaded;
        }
        defined = true;
        waiting = new HashMap<>(classes);
        for (String name : classes.keySet()) {
            try {
                loaded.add(loadClass(name));
            } catch (ClassNotFoundException | LinkageError missing) {
                continue;
            }
        }
        waiting = new HashMap<>();
        return loaded;
    }

    /** Whether this is a class of a jar on the class path, but not of the one at `solution`. */
    public static boolean isOfALibrary(Class<?> known, String solution) {
        String place = FOUND.get(known);
        return place != null && !place.endsWith(solution);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = waiting.remove(name);
        if (bytes == null) {
            Class<?> found = super.findClass(name);
            CodeSource source = found.getProtectionDomain().getCodeSource();
            if (this == first && source != null && source.getLocation() != null) {
                FOUND.put(found, source.getLocation().getPath());
            }
            return found;
        }
        return defineClass(name, bytes, 0, bytes.length, new CodeSource(getURLs()[0], (Certificate[]) null));
    }

    /** Called by the virtual machine when an agent is loaded: mocks are made by one. */
    void appendToClassPathForInstrumentation(String path) {
        addURL(url(path));
    }

    private static URL[] urls(String path) {
        List<URL> urls = new ArrayList<>();
        for (String part : path.split(File.pathSeparator)) {
            urls.add(url(part));
        }
        return urls.toArray(new URL[0]);
    }

    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalArgumentException(path, impossible);
        }
    }
}
