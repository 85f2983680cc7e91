package sdkbench.launcher;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Every event of the platform becomes a record; a test is told of exactly once. */
final class Reporter implements TestExecutionListener {
    /** Told at full length; a suite that fails as a whole must not flood the channel. */
    private static final int FULL_FAILURES = 50;

    private final Records records;
    private final Watch watch;
    private final Map<String, Long> started = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private TestPlan plan;
    private int failures;

    Reporter(Records records, Watch watch) {
        this.records = records;
        this.watch = watch;
    }

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
        List<Object> ids = new ArrayList<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                watch.expect(each); // none may be run before its turn
                if (each.isTest()) {
                    ids.add(Ids.of(each));
                }
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ids", ids);
        records.send("collected", fields);
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
        watch.begin(test);
        if (test.isTest()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("id", Ids.of(test));
            records.send("start", fields);
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        for (TestIdentifier each : testsOf(test)) {
            tell(each, "skipped", reason, null);
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL:
                if (test.isTest()) {
                    tell(test, "passed", "", null);
                }
                break;
            case ABORTED:
                for (TestIdentifier each : testsOf(test)) {
                    tell(each, "skipped", Failures.message(thrown), null);
                }
                break;
            default:
                for (TestIdentifier each : testsOf(test)) {
                    tell(each, "failed", "", thrown);
                }
        }
    }

    /** Tells the end; what comes back is the status to exit with. */
    synchronized int finish() {
        Map<String, Object> fields = new LinkedHashMap<>();
        int status = failures > 0 ? 1 : 0;
        fields.put("status", status);
        records.send("end", fields);
        return status;
    }

    /** The test itself; of a container the tests that will not run now, else the container. */
    private List<TestIdentifier> testsOf(TestIdentifier test) {
        List<TestIdentifier> tests = new ArrayList<>();
        if (!test.isTest()) {
            for (TestIdentifier each : plan.getDescendants(test)) {
                if (each.isTest() && !told.contains(each.getUniqueId())) {
                    tests.add(each);
                }
            }
        }
        if (tests.isEmpty()) {
            tests.add(test);
        }
        return tests;
    }

    private void tell(TestIdentifier test, String status, String reason, Throwable thrown) {
        told.add(test.getUniqueId());
        Long began = started.get(test.getUniqueId());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", Ids.of(test));
        fields.put("status", status);
        fields.put("expected_failure", false);
        fields.put("seconds", began == null ? 0.0 : (System.nanoTime() - began) / 1e9);
        fields.put("reason", reason == null ? "" : reason);
        if (status.equals("failed")) {
            boolean full = ++failures <= FULL_FAILURES;
            fields.putAll(Failures.fields(thrown, Ids.className(test), full));
        }
        records.send("case", fields);
    }
}
