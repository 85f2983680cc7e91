package orders;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.Set;

/** Works on the tree of the JSON text. */
final class Orders {
    private final ObjectMapper mapper = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final class Wrong extends RuntimeException {}

    String answer(String line, int number) {
        try {
            return summary(mapper.readTree(line)).toString();
        } catch (JsonProcessingException | DateTimeException | Wrong problem) {
            return mapper.createObjectNode().put("error", "line " + number).toString();
        }
    }

    private ObjectNode summary(JsonNode order) {
        BigDecimal total = BigDecimal.ZERO;
        Set<String> skus = new LinkedHashSet<>();
        for (JsonNode one : order.path("lines")) {
            JsonNode price = one.path("price");
            JsonNode qty = one.path("qty");
            if (!price.isNumber() || !qty.isIntegralNumber() || qty.intValue() < 1 || price.decimalValue().signum() < 0) {
                throw new Wrong();
            }
            total = total.add(price.decimalValue().multiply(qty.decimalValue()));
            skus.add(text(one, "sku"));
        }
        ObjectNode told = mapper.createObjectNode();
        told.put("order_id", text(order, "id"));
        told.put("placed", LocalDate.parse(text(order, "placed")).toString());
        told.putRawValue("total", new com.fasterxml.jackson.databind.util.RawValue(total.setScale(2, RoundingMode.HALF_UP).toPlainString()));
        ArrayNode names = told.putArray("skus");
        skus.forEach(names::add);
        if (!order.path("note").asText("").isEmpty() && !order.path("note").isNull()) {
            told.put("note", order.path("note").asText());
        }
        return told;
    }

    private static String text(JsonNode node, String name) {
        if (!node.path(name).isTextual()) {
            throw new Wrong();
        }
        return node.path(name).textValue();
    }
}
