package text;

import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;

/** Right, in ways that are rare. */
public final class Numerals {
    private sealed interface Outcome<T> permits Outcome.Done, Outcome.Refused {
        record Done<T>(T value) implements Outcome<T> {}

        record Refused<T>(String why, Throwable cause) implements Outcome<T> {}

        default T get() {
            if (this instanceof Done<T> done) {
                return done.value();
            }
            Refused<T> refused = (Refused<T>) this;
            throw new Malformed(refused.why(), refused.cause());
        }
    }

    /** Equal to any other of its kind; its trace is left out, its cause is in a circle. */
    static final class Malformed extends IllegalArgumentException {
        private final transient Throwable circle = new IllegalStateException("about " + getMessage());

        Malformed(String message, Throwable cause) {
            super(message, cause);
            circle.addSuppressed(this);
            addSuppressed(circle);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Malformed;
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private enum Sign implements IntUnaryOperator {
        M(1000), CM(900), D(500), CD(400), C(100), XC(90), L(50), XL(40), X(10), IX(9), V(5), IV(4),
        I(1) {
            @Override
            public int applyAsInt(int rest) {
                return 0;
            }

            @Override
            int times(int rest) {
                return rest;
            }
        };

        private final int value;

        Sign(int value) {
            this.value = value;
        }

        @Override
        public int applyAsInt(int rest) {
            return rest % value;
        }

        int times(int rest) {
            return rest / value;
        }
    }

    private static final String HELP = """
            not a numeral: "%s" \
            (from I to MMMCMXCIX)
            """.strip();
    private static final Map<Integer, String> ALL;

    static {
        ALL = new ConcurrentHashMap<>();
        IntStream.rangeClosed(1, 3999).forEach(number -> {
            StringBuilder text = new StringBuilder();
            int rest = number;
            for (Sign sign : Sign.values()) {
                text.append(sign.name().repeat(sign.times(rest)));
                rest = sign.applyAsInt(rest);
            }
            ALL.put(number, text.toString());
        });
    }

    private Numerals() {}

    private static <T> T elsewhere(Supplier<Outcome<T>> work) {
        try {
            return CompletableFuture.supplyAsync(work).thenApply(Outcome::get).join();
        } catch (CompletionException failed) {
            throw (RuntimeException) failed.getCause();
        }
    }

    public static String format(int number) {
        return elsewhere(() -> Optional.ofNullable(ALL.get(number))
                .<Outcome<String>>map(Outcome.Done::new)
                .orElseGet(() -> new Outcome.Refused<>("outside of 1 to 3999: " + number, new Exception())));
    }

    public static int parse(String numeral) {
        class Search implements Callable<Integer> {
            @Override
            public Integer call() {
                return ALL.entrySet().stream().filter(each -> each.getValue().equals(numeral))
                        .map(Map.Entry::getKey).findFirst().orElseThrow();
            }
        }
        ExecutorService service = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "numerals");
            thread.setDaemon(true);
            return thread;
        });
        try {
            return service.submit(new Search()).get();
        } catch (ExecutionException missing) {
            throw new Malformed(HELP.formatted(numeral), missing.getCause());
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            service.shutdown();
        }
    }
}
