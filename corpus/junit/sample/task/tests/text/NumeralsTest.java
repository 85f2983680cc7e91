package text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumeralsTest {
    @Test
    void formatsAYear() {
        assertEquals("MCMXCIV", Numerals.format(1994));
    }

    @ParameterizedTest
    @CsvSource({"4, IV", "44, XLIV", "3999, MMMCMXCIX"})
    void formatsSubtractively(int number, String numeral) {
        assertEquals(numeral, Numerals.format(number));
    }

    @Test
    void parsesWhatItFormats() {
        assertEquals(2718, Numerals.parse(Numerals.format(2718)));
        assertEquals(1666, Numerals.parse("MDCLXVI"));
    }

    @Test
    void refusesZero() {
        assertThrows(IllegalArgumentException.class, () -> Numerals.format(0));
    }

    @Test
    void refusesNumeralsThatAreNotWellFormed() {
        assertThrows(IllegalArgumentException.class, () -> Numerals.parse("IIII"));
        assertThrows(IllegalArgumentException.class, () -> Numerals.parse("hello"));
    }
}
