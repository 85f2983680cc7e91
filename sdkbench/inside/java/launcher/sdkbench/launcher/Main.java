package sdkbench.launcher;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import sdkbench.loader.TestLoader;

/**
 * Runs test classes on the JUnit Platform and tells of every test through a named pipe.
 *
 * <p>Lines on standard input: the run's nonce, the pipe, the solution's jar, whether tests may run in
 * threads of their own, the class path, a seed for another order of tests (or nothing), the number of
 * test classes and their names; then all classes of the tests, as a jar. What could be configured by a file or a property that judged code may write
 * is switched off.
 */
public final class Main {
    private static final String CLASS = ".class";
    private static final String METHODS = "org.junit.jupiter.api.MethodOrderer$Random";
    private static final String CLASSES = "org.junit.jupiter.api.ClassOrderer$Random";

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        InputStream order = new BufferedInputStream(System.in);
        String nonce = line(order);
        File pipe = new File(line(order));
        Records records = new Records(new FileOutputStream(pipe), nonce);
        if (!pipe.delete()) {
            throw new IllegalStateException("the pipe must not be found by its name");
        }
        String solution = line(order);
        boolean threads = Boolean.parseBoolean(line(order));
        System.setProperty("java.class.path", line(order));
        String seed = line(order);
        List<String> names = new ArrayList<>();
        for (int left = Integer.parseInt(line(order)); left > 0; left--) {
            names.add(line(order));
        }
        // All are loaded before any judged code runs, and none is initialised.
        TestLoader loader = (TestLoader) ClassLoader.getSystemClassLoader();
        Set<Class<?>> classes = loader.define(classes(order));
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String name : names) {
            selectors.add(selectClass(Class.forName(name, false, loader)));
        }
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Reporter reporter = new Reporter(records, new Watch(classes, solution, threads, records));
        launcher().execute(request(selectors, seed), reporter);
        int status = reporter.finish();
        // Threads and exit hooks of judged code get no chance to speak after the end.
        Runtime.getRuntime().halt(status);
    }

    private static String line(InputStream stream) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = stream.read(); next != '\n'; next = stream.read()) {
            if (next < 0) {
                throw new IllegalStateException("the order is cut off");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> classes(InputStream stream) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        ZipInputStream jar = new ZipInputStream(stream);
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            String name = entry.getName();
            String inner = name.substring(0, name.length() - CLASS.length());
            classes.put(inner.replace('/', '.'), jar.readAllBytes());
        }
        return classes;
    }

    private static Launcher launcher() {
        return LauncherFactory.create(
                LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .enableLauncherSessionListenerAutoRegistration(false)
                        .enableLauncherDiscoveryListenerAutoRegistration(false)
                        .enablePostDiscoveryFilterAutoRegistration(false)
                        .build());
    }

    private static LauncherDiscoveryRequest request(List<DiscoverySelector> selectors, String seed) {
        LauncherDiscoveryRequestBuilder request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectors)
                        .enableImplicitConfigurationParameters(false);
        if (!seed.isEmpty()) {
            request.configurationParameter("junit.jupiter.testmethod.order.default", METHODS);
            request.configurationParameter("junit.jupiter.testclass.order.default", CLASSES);
            request.configurationParameter("junit.jupiter.execution.order.random.seed", seed);
        }
        return request.build();
    }
}
