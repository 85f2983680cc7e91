package events;

import java.math.BigDecimal;
import java.time.Instant;

/** Something that happened to an account. */
public interface Event {
    String id();

    Instant at();

    BigDecimal amount();
}
