package events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLogTest {
    private static final Instant NOON = Instant.parse("2024-05-01T12:00:00Z");
    private static final Event DEPOSIT = new Deposit("d1", NOON, new BigDecimal("10.50"));
    private static final Event TRANSFER = new Transfer("t1", NOON, new BigDecimal("3"), "bob", "rent");
    private static final String LINE =
            "{\"type\":\"deposit\",\"id\":\"d1\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"10.50\"}";

    @Test
    void aDepositIsWrittenWithTypeTimeAndExactAmount() throws Exception {
        JsonNode written = new ObjectMapper().readTree(EventLog.write(List.of(DEPOSIT)));
        assertEquals("deposit", written.get("type").asText());
        assertEquals("2024-05-01T12:00:00Z", written.get("at").asText());
        assertTrue(written.get("amount").isTextual());
        assertEquals("10.50", written.get("amount").asText());
    }

    @Test
    void everyEventIsALineOfItsOwn() {
        String log = EventLog.write(List.of(DEPOSIT, TRANSFER));
        assertEquals(2, log.lines().count());
        assertTrue(log.endsWith("}\n"));
        assertEquals("", EventLog.write(List.of()));
    }

    @Test
    void aNullNoteIsLeftOut() throws Exception {
        Event bare = new Transfer("t2", NOON, BigDecimal.ONE, "bob", null);
        JsonNode written = new ObjectMapper().readTree(EventLog.write(List.of(bare)));
        assertFalse(written.has("note"));
        assertEquals(List.of(bare), EventLog.read(EventLog.write(List.of(bare))));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        List<Event> events = List.of(DEPOSIT, TRANSFER, DEPOSIT);
        assertEquals(events, EventLog.read(EventLog.write(events)));
    }

    @Test
    void blankLinesArePassedOver() {
        assertEquals(List.of(DEPOSIT, DEPOSIT), EventLog.read("\n" + LINE + "\n  \n" + LINE));
    }

    @Test
    void unknownPropertiesAreIgnored() {
        String more = LINE.replace("}", ",\"source\":{\"app\":\"x\"}}");
        assertEquals(List.of(DEPOSIT), EventLog.read(more));
    }

    @Test
    void anAmountMayBeANumberAndKeepsItsDigits() {
        String exact = "12345678901234567890.123456789";
        List<Event> events = EventLog.read(LINE.replace("\"10.50\"", exact));
        assertEquals(new BigDecimal(exact), events.get(0).amount());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"type\":\"deposit\"",
        "[]",
        "{\"type\":\"deposit\",\"id\":\"d\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"1\"} {}",
        "{\"type\":\"refund\",\"id\":\"r\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"1\"}",
        "{\"id\":\"r\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"1\"}",
        "{\"type\":\"deposit\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"1\"}",
        "{\"type\":\"transfer\",\"id\":\"r\",\"at\":\"2024-05-01T12:00:00Z\",\"amount\":\"1\"}",
    })
    void anUnreadableLineIsNamedByItsNumber(String line) {
        String log = LINE + "\n\n" + line + "\n" + LINE;
        UnreadableEvent thrown = assertThrows(UnreadableEvent.class, () -> EventLog.read(log));
        assertEquals(3, thrown.line());
    }
}
