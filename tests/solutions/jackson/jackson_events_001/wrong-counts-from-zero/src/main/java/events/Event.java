package events;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.time.Instant;

/** Something that happened to an account. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Deposit.class, name = "deposit"),
    @JsonSubTypes.Type(value = Transfer.class, name = "transfer")
})
public interface Event {
    String id();

    Instant at();

    BigDecimal amount();
}
