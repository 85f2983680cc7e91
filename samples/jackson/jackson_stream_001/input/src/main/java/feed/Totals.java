package feed;

/** What is counted of one document. */
final class Totals {
    /** Count a scan; its number. */
    int add(Scan scan) {
        throw new UnsupportedOperationException("not implemented");
    }

    /** Count a scan that is wrong; its number. */
    int addWrong() {
        throw new UnsupportedOperationException("not implemented");
    }

    /** The last line of a document; {@code depot} is null if there was none. */
    String told(String depot) {
        throw new UnsupportedOperationException("not implemented");
    }
}
