package feed;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One scan of a parcel, read from its tokens without databind. */
public sealed interface Scan {
    String parcel();

    String told();

    record Arrival(String parcel, BigDecimal kilos) implements Scan {
        @Override
        public String told() {
            return "arrival %s %s".formatted(parcel, kilos.stripTrailingZeros().toPlainString());
        }
    }

    record Departure(String parcel, String to) implements Scan {
        @Override
        public String told() {
            return "departure %s to %s".formatted(parcel, to);
        }
    }

    record Damage(String parcel, String note, List<String> photos) implements Scan {
        @Override
        public String told() {
            return "damage %s %s (%d)".formatted(parcel, note, photos.size());
        }
    }

    /** A reason for which an object is no scan. */
    final class Wrong extends Exception {
        Wrong(String reason) {
            super(reason);
        }
    }

    /** From the object that begins at the current token; the parser stands at its end afterwards. */
    static Scan read(JsonParser parser) throws IOException, Wrong {
        Map<String, Object> members = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        if (!(members.get("kind") instanceof String kind)) {
            throw new Wrong("no kind");
        }
        return switch (kind) {
            case "arrival" -> new Arrival(text(members, "parcel"), kilos(members.get("kilos")));
            case "departure" -> new Departure(text(members, "parcel"), text(members, "to"));
            case "damage" -> new Damage(text(members, "parcel"), text(members, "note"), photos(members.get("photos")));
            default -> throw new Wrong("unknown kind " + kind);
        };
    }

    private static Object value(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_NULL:
                return null;
            case VALUE_STRING:
                return parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT:
                return parser.getDecimalValue();
            case START_ARRAY:
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                return list;
            default:
                parser.skipChildren();
                return Boolean.TRUE;
        }
    }

    private static String text(Map<String, Object> members, String name) throws Wrong {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new Wrong("bad " + name);
    }

    private static BigDecimal kilos(Object value) throws Wrong {
        if (value instanceof BigDecimal kilos && kilos.compareTo(BigDecimal.ZERO) > 0) {
            return kilos;
        }
        throw new Wrong("bad kilos");
    }

    private static List<String> photos(Object value) throws Wrong {
        List<String> photos = new ArrayList<>();
        if (value != null && !(value instanceof List)) {
            throw new Wrong("bad photos");
        }
        for (Object one : value == null ? List.of() : (List<?>) value) {
            if (!(one instanceof String photo)) {
                throw new Wrong("bad photos");
            }
            photos.add(photo);
        }
        return photos;
    }
}
