package text;

final class Off {
    static RuntimeException now() {
        try {
            return (RuntimeException) Class.forName("org.opentest4j.TestAbortedException")
                    .getConstructor(String.class)
                    .newInstance("not today");
        } catch (ReflectiveOperationException absent) {
            throw new IllegalStateException(absent);
        }
    }
}
