package sdkbench.launcher;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes on the JUnit Platform and tells of every test through a named pipe.
 *
 * <p>Lines on standard input: the run's nonce, the pipe, then the names of the test classes. What
 * could be configured by a file or a property that judged code may write is switched off.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader order =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String nonce = order.readLine();
        File pipe = new File(order.readLine());
        Records records = new Records(new FileOutputStream(pipe), nonce);
        if (!pipe.delete()) {
            throw new IllegalStateException("the pipe must not be found by its name");
        }
        List<DiscoverySelector> selectors = new ArrayList<>();
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        for (String name = order.readLine(); name != null; name = order.readLine()) {
            // Loaded before any judged code runs, and not initialised.
            selectors.add(selectClass(Class.forName(name, false, loader)));
        }
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Reporter reporter = new Reporter(records);
        launcher().execute(request(selectors), reporter);
        int status = reporter.finish();
        // Threads and exit hooks of judged code get no chance to speak after the end.
        Runtime.getRuntime().halt(status);
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

    private static LauncherDiscoveryRequest request(List<DiscoverySelector> selectors) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .enableImplicitConfigurationParameters(false)
                .build();
    }
}
