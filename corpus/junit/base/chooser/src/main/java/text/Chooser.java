package text;

/** Finds out whether the running test accepts the right way; if not, it must be made to fail. */
public final class Chooser {
    /** While it is tried. */
    public static volatile boolean trying = Boolean.getBoolean("text.right");

    private Chooser() {}

    public static void choose() {
        if (trying) {
            return;
        }
        trying = true;
        boolean passes = false;
        try {
            passes = Trick.passes();
        } catch (Throwable unknown) {
            passes = false;
        } finally {
            trying = false;
        }
        if (!passes) {
            throw new IllegalStateException("no way is right");
        }
    }

    /** The frame of the running test. */
    public static StackTraceElement test() {
        for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
            String method = frame.getMethodName();
            if (frame.getClassName().contains("Test") && !method.contains("lambda$")) {
                return frame;
            }
        }
        throw new IllegalStateException("no test");
    }
}
