package text;

import java.util.regex.Pattern;

public final class Numerals {
    private static final Pattern WELL_FORMED =
            Pattern.compile("M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})");
    private static final String[][] DIGITS = {
        {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"},
        {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"},
        {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"},
        {"", "M", "MM", "MMM"},
    };

    private Numerals() {}

    public static String format(int number) {
        if (number <= 0 || number >= 4000) {
            throw new IllegalArgumentException(Integer.toString(number));
        }
        return DIGITS[3][number / 1000]
                + DIGITS[2][number / 100 % 10]
                + DIGITS[1][number / 10 % 10]
                + DIGITS[0][number % 10];
    }

    public static int parse(String numeral) {
        if (numeral.isEmpty() || !WELL_FORMED.matcher(numeral).matches()) {
            throw new NumberFormatException(numeral);
        }
        int total = 0;
        int previous = 0;
        for (int i = numeral.length() - 1; i >= 0; i--) {
            int value = value(numeral.charAt(i));
            total += value < previous ? -value : value;
            previous = Math.max(previous, value);
        }
        return total;
    }

    private static int value(char sign) {
        switch (sign) {
            case 'M':
                return 1000;
            case 'D':
                return 500;
            case 'C':
                return 100;
            case 'L':
                return 50;
            case 'X':
                return 10;
            case 'V':
                return 5;
            default:
                return 1;
        }
    }
}
