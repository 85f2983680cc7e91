package events;

/** A line of a log that holds no event. */
public class UnreadableEvent extends RuntimeException {
    private final int line;

    public UnreadableEvent(int line, Throwable cause) {
        super("line " + line, cause);
        this.line = line;
    }

    /** Counted from 1. */
    public int line() {
        return line;
    }
}
