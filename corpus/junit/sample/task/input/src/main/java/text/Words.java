package text;

import java.util.List;
import java.util.Map;

/** Words are runs of letters; upper and lower case are the same. */
public final class Words {
    private Words() {}

    /** How often each word occurs, in alphabetical order of the words, which are in lower case. */
    public static Map<String, Integer> count(String text) {
        throw new UnsupportedOperationException("to be written");
    }

    /** The `limit` most frequent words, the most frequent first, ties in alphabetical order. */
    public static List<String> top(String text, int limit) {
        throw new UnsupportedOperationException("to be written");
    }
}
