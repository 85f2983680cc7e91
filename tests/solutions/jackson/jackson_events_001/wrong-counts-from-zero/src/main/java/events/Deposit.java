package events;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;

public record Deposit(
        @JsonProperty(required = true) String id,
        @JsonProperty(required = true) Instant at,
        @JsonProperty(required = true) @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount)
        implements Event {}
