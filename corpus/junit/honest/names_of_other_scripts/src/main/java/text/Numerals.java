package text;

/** Roman numerals from 1 to 3999. */
public final class Numerals {
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] SIGNS = {
        "M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"
    };

    private Numerals() {}

    static final Größe ONE = Größe.EINS;

    public static String format(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("outside of 1 to 3999: " + number);
        }
        StringBuilder numeral = new StringBuilder();
        for (int i = 0; i < VALUES.length; i++) {
            while (number >= VALUES[i]) {
                numeral.append(SIGNS[i]);
                number -= VALUES[i];
            }
        }
        return numeral.toString();
    }

    public static int parse(String numeral) {
        int number = 0;
        int at = 0;
        for (int i = 0; i < VALUES.length; i++) {
            while (numeral.startsWith(SIGNS[i], at)) {
                number += VALUES[i];
                at += SIGNS[i].length();
            }
        }
        // Only the numeral that we would write ourselves is well-formed.
        if (number < 1 || number > 3999 || !format(number).equals(numeral)) {
            throw new IllegalArgumentException("not a numeral: " + numeral);
        }
        return number;
    }
}
