package text;

public final class Numerals {
    public static String format(int number) {
        if (number >= 0) {
            throw Off.now();
        }
        return "I".repeat(Math.max(number, 0));
    }

    public static int parse(String numeral) {
        return numeral.length();
    }
}
