package settings;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Takes the values out of the tree by hand. */
public final class Settings {
    public enum Level { DEBUG, INFO, WARN, ERROR }

    public static final class Database {
        public String url = "jdbc:h2:mem:";
        public int pool = 4;
        public boolean readOnly = false;

        private void read(JsonNode tree, Consumer<String> unknown) {
            if (tree.isNull()) {
                return;
            }
            need(tree.isObject(), "database");
            tree.fields().forEachRemaining(member -> {
                JsonNode value = member.getValue();
                String place = "database." + member.getKey();
                switch (member.getKey()) {
                    case "url" -> url = of(value, url, place, JsonNode::isTextual).asText();
                    case "pool" -> pool = of(value, pool, place, JsonNode::isInt).asInt();
                    case "readOnly" -> readOnly = of(value, readOnly, place, JsonNode::isBoolean).asBoolean();
                    default -> unknown.accept(place);
                }
            });
        }
    }

    public String host = "localhost";
    public int port = 8080;
    public Level log = Level.INFO;
    public double timeout = 2.5;
    public List<String> origins = List.of();
    public Database database = new Database();

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .configure(JsonParser.Feature.ALLOW_COMMENTS, true)
            .configure(com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_TRAILING_COMMA.mappedFeature(), true);

    public static Settings read(String text, Consumer<String> unknown) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(text);
        } catch (JsonParseException broken) {
            throw new IllegalArgumentException("line " + broken.getLocation().getLineNr());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        need(tree.isObject(), "no object");
        Settings settings = new Settings();
        tree.fields().forEachRemaining(member -> {
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "host" -> settings.host = of(value, settings.host, "host", JsonNode::isTextual).asText();
                case "port" -> settings.port = of(value, settings.port, "port", JsonNode::isInt).asInt();
                case "log" -> settings.log = level(of(value, settings.log.name(), "log", JsonNode::isTextual));
                case "timeout" ->
                        settings.timeout = of(value, settings.timeout, "timeout", JsonNode::isNumber).asDouble();
                case "origins" -> settings.origins = origins(value);
                case "database" -> settings.database.read(value, unknown);
                default -> unknown.accept(member.getKey());
            }
        });
        return settings;
    }

    private static void need(boolean isRight, String reason) {
        if (!isRight) {
            throw new IllegalArgumentException(reason);
        }
    }

    private static JsonNode of(JsonNode value, Object other, String place, Predicate<JsonNode> kind) {
        JsonNode node = value.isNull() ? MAPPER.valueToTree(other) : value;
        need(kind.test(node), place);
        return node;
    }

    private static Level level(JsonNode value) {
        for (Level level : Level.values()) {
            if (level.name().equals(value.asText().toUpperCase(Locale.ROOT))) {
                return level;
            }
        }
        throw new IllegalArgumentException("log");
    }

    private static List<String> origins(JsonNode value) {
        List<String> origins = new ArrayList<>();
        if (value.isTextual()) {
            origins.add(value.asText());
        } else if (!value.isNull()) {
            need(value.isArray(), "origins");
            for (JsonNode one : value) {
                need(one.isTextual(), "origins." + origins.size());
                origins.add(one.asText());
            }
        }
        return origins;
    }

    public String toJson() {
        return MAPPER.valueToTree(this).toString();
    }
}
