package text;

public final class Numerals {
    public static String format(int number) {
        throw new IllegalStateException("\ud800\u0000".repeat(1000) + "long ".repeat(1_200_000));
    }

    public static int parse(String numeral) {
        throw new IllegalStateException("\udfff" + "9".repeat(6_000_000));
    }
}
