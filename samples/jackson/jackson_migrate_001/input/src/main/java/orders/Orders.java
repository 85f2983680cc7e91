package orders;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.codehaus.jackson.annotate.JsonIgnoreProperties;
import org.codehaus.jackson.annotate.JsonProperty;
import org.codehaus.jackson.annotate.JsonPropertyOrder;
import org.codehaus.jackson.map.DeserializationConfig;
import org.codehaus.jackson.map.ObjectMapper;
import org.codehaus.jackson.map.SerializationConfig;
import org.codehaus.jackson.map.annotate.JsonSerialize;

/** Written for Jackson 1.9; pom.xml names Jackson 2.18 (and its module for java.time) already. */
final class Orders {
    @JsonIgnoreProperties(ignoreUnknown = true)
    static final class Order {
        @JsonProperty String id;
        @JsonProperty Date placed;
        @JsonProperty List<Line> lines = new ArrayList<Line>();
        @JsonProperty String note;
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    static final class Line {
        @JsonProperty String sku;
        @JsonProperty int qty;
        @JsonProperty double price;
    }

    @JsonSerialize(include = JsonSerialize.Inclusion.NON_NULL)
    @JsonPropertyOrder({"order_id", "placed", "total", "skus", "note"})
    static final class Summary {
        @JsonProperty("order_id") String id;
        @JsonProperty Date placed;
        @JsonProperty BigDecimal total = BigDecimal.ZERO;
        @JsonProperty Set<String> skus = new LinkedHashSet<String>();
        @JsonProperty String note;
    }

    private final ObjectMapper mapper = new ObjectMapper();

    Orders() {
        mapper.configure(DeserializationConfig.Feature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        mapper.configure(SerializationConfig.Feature.WRITE_DATES_AS_TIMESTAMPS, false);
    }

    String answer(String line, int number) throws IOException {
        Order order;
        try {
            order = mapper.readValue(line, Order.class);
        } catch (IOException broken) {
            return "{\"error\":\"line " + number + "\"}";
        }
        Summary summary = new Summary();
        summary.id = order.id;
        summary.placed = order.placed;
        summary.note = order.note;
        for (Line one : order.lines) {
            summary.total = summary.total.add(new BigDecimal(one.price * one.qty));
            summary.skus.add(one.sku);
        }
        return mapper.writeValueAsString(summary);
    }
}
