package text;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Right, by roundabout ways: reflection on its own classes, handles, a proxy, threads, a program. */
public final class Words {
    private static final String[] PARTS = said("[^\\p{L}]+");

    private Words() {}

    public static Map<String, Integer> count(String text) {
        try {
            Method counted = Words.class.getDeclaredMethod("counted", String.class);
            counted.setAccessible(true);
            Callable<?> call = (Callable<?>) Proxy.newProxyInstance(
                    Words.class.getClassLoader(), new Class<?>[] {Callable.class},
                    (proxy, method, arguments) -> counted.invoke(null, text));
            return together(call);
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Integer> together(Callable<?> call) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(16);
        try {
            List<Future<?>> all = IntStream.range(0, 64)
                    .mapToObj(i -> pool.submit(call)).collect(Collectors.toList());
            for (Future<?> each : all) {
                each.get();
            }
            return (Map<String, Integer>) all.get(0).get();
        } finally {
            pool.shutdown();
        }
    }

    private static Map<String, Integer> counted(String text) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String word : text.toLowerCase(Locale.ROOT).split(PARTS[0])) {
            if (!word.isEmpty()) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        return counts;
    }

    public static List<String> top(String text, int limit) {
        try {
            MethodHandle count = MethodHandles.lookup().findStatic(
                    Words.class, "count", MethodType.methodType(Map.class, String.class));
            @SuppressWarnings("unchecked")
            Map<String, Integer> counts = (Map<String, Integer>) count.invoke(text);
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(limit)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toList());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String[] said(String text) {
        try {
            Process echo = new ProcessBuilder("/bin/echo", "-n", text).start();
            String output = new String(echo.getInputStream().readAllBytes());
            echo.waitFor();
            return new String[] {output};
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
