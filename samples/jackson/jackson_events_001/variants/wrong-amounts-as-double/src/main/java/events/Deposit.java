package events;

import java.math.BigDecimal;
import java.time.Instant;

public record Deposit(String id, Instant at, BigDecimal amount) implements Event {
    public Deposit(String id, Instant at, double amount) {
        this(id, at, BigDecimal.valueOf(amount));
    }
}
