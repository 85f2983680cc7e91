package text;

/** Roman numerals from 1 to 3999. */
public final class Numerals {
    private Numerals() {}

    /** The numeral for a number; IllegalArgumentException outside of 1 to 3999. */
    public static String format(int number) {
        throw new UnsupportedOperationException("to be written");
    }

    /** The number of a well-formed numeral; IllegalArgumentException for anything else. */
    public static int parse(String numeral) {
        throw new UnsupportedOperationException("to be written");
    }
}
