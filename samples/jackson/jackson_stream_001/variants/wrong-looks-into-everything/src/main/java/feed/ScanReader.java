package feed;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** Reads documents token by token, and never holds more of one than a single scan. */
final class ScanReader {
    private final PrintStream out;
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(LogicalType.Textual, texts -> texts
                    .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL))
            .build();

    ScanReader(PrintStream out) {
        this.out = out;
    }

    /** Whether all of the input could be read. */
    boolean read(InputStream input) throws IOException {
        try (JsonParser parser = mapper.createParser(input)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token != JsonToken.START_OBJECT) {
                    return broken(parser.currentTokenLocation());
                }
                document(parser);
            }
            return true;
        } catch (JsonParseException broken) {
            return broken(broken.getLocation());
        }
    }

    private boolean broken(JsonLocation location) {
        out.println("broken at line " + location.getLineNr());
        return false;
    }

    private void document(JsonParser parser) throws IOException {
        Totals totals = new Totals();
        String depot = null;
        for (int depth = 1; depth > 0; ) {
            JsonToken value = parser.nextToken();
            if (value == null) {
                return;
            } else if (value == JsonToken.END_OBJECT) {
                depth--;
            } else if (value == JsonToken.START_OBJECT) {
                depth++;
            }
            String name = String.valueOf(parser.currentName());
            if (name.equals("depot") && value == JsonToken.VALUE_STRING) {
                depot = parser.getText();
            } else if (name.equals("scans") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    scan(mapper.readTree(parser), totals);
                }
            }
        }
        out.println(totals.told(depot));
    }

    /** A scan is taken whole before it is looked at, so that a wrong one leaves the parser behind it. */
    private void scan(JsonNode tree, Totals totals) throws IOException {
        String reason;
        if (!tree.isObject()) {
            reason = "no object";
        } else if (!tree.path("kind").isTextual()) {
            reason = "no kind";
        } else {
            try {
                Scan scan = mapper.treeToValue(tree, Scan.class);
                out.println(totals.add(scan) + " " + scan.told());
                return;
            } catch (InvalidTypeIdException unknown) {
                reason = "unknown kind " + unknown.getTypeId();
            } catch (JsonMappingException wrong) {
                reason = "bad " + member(wrong);
            }
        }
        out.println(totals.addWrong() + " wrong: " + reason);
    }

    private static String member(JsonMappingException wrong) {
        if (wrong.getCause() instanceof IllegalArgumentException refused) {
            return refused.getMessage();
        }
        return wrong.getPath().get(0).getFieldName();
    }
}
