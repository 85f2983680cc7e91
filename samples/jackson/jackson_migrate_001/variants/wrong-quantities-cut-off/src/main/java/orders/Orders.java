package orders;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Reads orders, and tells what is in them. */
final class Orders {
    record Order(String id, LocalDate placed, List<Line> lines, String note) {
        Order {
            Objects.requireNonNull(id);
            Objects.requireNonNull(placed);
            lines = lines == null ? List.of() : List.copyOf(lines);
        }
    }

    record Line(String sku, int qty, BigDecimal price) {
        Line {
            Objects.requireNonNull(sku);
            if (qty < 1 || price.signum() < 0) {
                throw new IllegalArgumentException("out of range");
            }
        }

        BigDecimal total() {
            return price.multiply(BigDecimal.valueOf(qty));
        }
    }

    @JsonPropertyOrder({"order_id", "placed", "total", "skus", "note"})
    record Summary(
            @JsonProperty("order_id") String id,
            LocalDate placed,
            BigDecimal total,
            Set<String> skus,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note) {}

    private final JsonMapper mapper = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    String answer(String line, int number) throws JsonProcessingException {
        Order order;
        try {
            order = Objects.requireNonNull(mapper.readValue(line, Order.class));
        } catch (JsonProcessingException | NullPointerException broken) {
            return "{\"error\":\"line " + number + "\"}";
        }
        BigDecimal total = BigDecimal.ZERO;
        Set<String> skus = new LinkedHashSet<>();
        for (Line one : order.lines()) {
            total = total.add(one.total());
            skus.add(one.sku());
        }
        total = total.setScale(2, RoundingMode.HALF_UP);
        Summary summary = new Summary(order.id(), order.placed(), total, skus, order.note());
        return mapper.writeValueAsString(summary);
    }
}
