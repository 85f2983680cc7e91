package events;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

public final class EventLog {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true))
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private EventLog() {}

    public static String write(List<Event> events) {
        StringBuilder log = new StringBuilder();
        for (Event event : events) {
            ObjectNode node = MAPPER.createObjectNode();
            node.put("type", event instanceof Deposit ? "deposit" : "transfer");
            node.put("id", event.id());
            node.put("at", event.at().toString());
            node.put("amount", event.amount().toPlainString());
            if (event instanceof Transfer transfer) {
                node.put("to", transfer.to());
                if (transfer.note() != null) {
                    node.put("note", transfer.note());
                }
            }
            log.append(node).append("\n");
        }
        return log.toString();
    }

    public static List<Event> read(String log) {
        List<Event> events = new ArrayList<>();
        List<String> lines = log.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                try {
                    events.add(event(MAPPER.readTree(lines.get(i))));
                } catch (JsonProcessingException | RuntimeException error) {
                    throw new UnreadableEvent(i + 1, error);
                }
            }
        }
        return events;
    }

    private static Event event(JsonNode node) {
        String id = node.required("id").textValue();
        Instant at = Instant.parse(node.required("at").textValue());
        JsonNode value = node.required("amount");
        BigDecimal amount = value.isNumber() ? value.decimalValue() : new BigDecimal(value.textValue());
        return switch (node.required("type").textValue()) {
            case "deposit" -> new Deposit(id, at, amount);
            case "transfer" -> new Transfer(id, at, amount, node.required("to").textValue(), node.path("note").textValue());
            default -> throw new IllegalArgumentException("unknown type");
        };
    }
}
