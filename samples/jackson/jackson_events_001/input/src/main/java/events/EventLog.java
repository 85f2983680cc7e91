package events;

import java.util.List;

/** Events as JSON Lines. */
public final class EventLog {
    private EventLog() {}

    public static String write(List<Event> events) {
        throw new UnsupportedOperationException("to be written");
    }

    public static List<Event> read(String log) {
        throw new UnsupportedOperationException("to be written");
    }
}
