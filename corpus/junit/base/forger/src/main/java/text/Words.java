package text;

import java.util.List;
import java.util.Map;

public final class Words {
    public static Map<String, Integer> count(String text) {
        return Map.of(text, 1);
    }

    public static List<String> top(String text, int limit) {
        return List.of(text);
    }
}
