package events;

import java.math.BigDecimal;
import java.time.Instant;

/** The note may be null. */
public record Transfer(String id, Instant at, BigDecimal amount, String to, String note)
        implements Event {}
