package events;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;

/** The note may be null. */
public record Transfer(
        @JsonProperty(required = true) String id,
        @JsonProperty(required = true) Instant at,
        @JsonProperty(required = true) @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
        @JsonProperty(required = true) String to,
        String note)
        implements Event {}
