package settings;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The settings, and their defaults. */
public final class Settings {
    public enum Level { DEBUG, INFO, WARN, ERROR }

    public static final class Database {
        public String url = "jdbc:h2:mem:";
        public int pool = 4;
        public boolean readOnly = false;
    }

    public String host = "localhost";
    public int port = 8080;
    public Level log = Level.INFO;
    public double timeout = 2.5;
    public List<String> origins = List.of();
    public Database database = new Database();

    private static JsonMapper.Builder mapper() {
        return JsonMapper.builder()
                .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, texts -> texts
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
    }

    public static Settings read(String text, Consumer<String> unknown) {
        JsonMapper mapper = mapper().build();
        JsonNode tree;
        try {
            tree = mapper.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("line " + broken.getLocation().getLineNr());
        }
        if (!tree.isObject()) {
            throw new IllegalArgumentException("no object");
        }
        try {
            return mapper.treeToValue(tree, Settings.class);
        } catch (JsonMappingException wrong) {
            throw new IllegalArgumentException(place(wrong));
        } catch (JsonProcessingException other) {
            throw new IllegalStateException(other);
        }
    }

    private static String place(JsonMappingException wrong) {
        return wrong.getPath().stream()
                .map(step -> step.getFieldName() == null ? "" + step.getIndex() : step.getFieldName())
                .collect(Collectors.joining("."));
    }

    /** Passes over members that we don't know, and tells them. */
    private static final class Ignoring extends DeserializationProblemHandler {
        private final Consumer<String> unknown;

        Ignoring(Consumer<String> unknown) {
            this.unknown = unknown;
        }

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object owner,
                String name) throws IOException {
            unknown.accept(owner instanceof Database ? "database." + name : name);
            parser.skipChildren();
            return true;
        }
    }

    public String toJson() {
        try {
            return mapper().build().writeValueAsString(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
