package feed;

import java.math.BigDecimal;

/** What is counted of one document. */
final class Totals {
    private int scans;
    private int wrong;
    private BigDecimal kilos = BigDecimal.ZERO;

    /** Count a scan; its number. */
    int add(Scan scan) {
        if (scan instanceof Scan.Arrival arrival) {
            kilos = kilos.add(arrival.kilos());
        }
        return ++scans;
    }

    /** Count a scan that is wrong; its number. */
    int addWrong() {
        wrong++;
        return ++scans;
    }

    /** The last line of a document. */
    String told(String depot) {
        String name = depot == null ? "-" : depot;
        return "depot " + name + ": " + scans + " scans, " + wrong + " wrong, " + plain(kilos) + " kilos";
    }

    static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
