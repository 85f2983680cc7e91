package text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class Words {
    private static final Pattern WORD = Pattern.compile("\\p{L}+");

    private Words() {}

    public static Map<String, Integer> count(String text) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            counts.compute(matcher.group().toLowerCase(), (word, n) -> n == null ? 1 : n + 1);
        }
        return new LinkedHashMap<>(counts);
    }

    public static List<String> top(String text, int limit) {
        List<Map.Entry<String, Integer>> entries = new ArrayList<>(count(text).entrySet());
        entries.sort((a, b) -> b.getValue() - a.getValue());
        List<String> words = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : entries.subList(0, Math.min(limit, entries.size()))) {
            words.add(entry.getKey());
        }
        return words;
    }
}
