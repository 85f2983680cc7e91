package events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.ArrayList;
import java.util.List;

/** Events as JSON Lines. */
public final class EventLog {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .build();

    private EventLog() {}

    public static String write(List<Event> events) {
        StringBuilder log = new StringBuilder();
        for (Event event : events) {
            try {
                log.append(MAPPER.writeValueAsString(event)).append('\n');
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return log.toString();
    }

    public static List<Event> read(String log) {
        List<Event> events = new ArrayList<>();
        int number = 0;
        for (String line : log.split("\n", -1)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                events.add(MAPPER.readValue(line, Event.class));
            } catch (JsonProcessingException unreadable) {
                throw new UnreadableEvent(events.size(), unreadable);
            }
        }
        return events;
    }
}
