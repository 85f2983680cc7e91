package text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WordsTest {
    private static final String TEXT = "The cat saw the dog; the DOG saw a cat. Cats!";

    @Test
    void countsWithoutRegardToCase() {
        assertEquals(Map.of("the", 3, "cat", 2, "saw", 2, "dog", 2, "a", 1, "cats", 1), Words.count(TEXT));
    }

    @Test
    void keepsAlphabeticalOrder() {
        List<String> words = new ArrayList<>(Words.count("pear fig apple").keySet());
        assertEquals(List.of("apple", "fig", "pear"), words);
    }

    @Test
    void findsNoWordsInPunctuation() {
        assertTrue(Words.count("?! ... 42").isEmpty());
    }

    @Nested
    class Top {
        @Test
        void comesByFrequencyThenByAlphabet() {
            assertEquals(List.of("the", "cat", "dog"), Words.top(TEXT, 3));
        }

        @Test
        void leavesOutTheRest() {
            assertFalse(Words.top(TEXT, 4).contains("cats"));
        }
    }
}
