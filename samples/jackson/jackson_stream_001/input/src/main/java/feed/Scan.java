package feed;

import java.math.BigDecimal;
import java.util.List;

/** One scan of a parcel. Annotations may be added; names and components stay. */
public sealed interface Scan {
    String parcel();

    /** As Main shows it, without the number: {@code arrival P1 2.5}. */
    String told();

    record Arrival(String parcel, BigDecimal kilos) implements Scan {
        @Override
        public String told() {
            throw new UnsupportedOperationException("not implemented");
        }
    }

    record Departure(String parcel, String to) implements Scan {
        @Override
        public String told() {
            throw new UnsupportedOperationException("not implemented");
        }
    }

    record Damage(String parcel, String note, List<String> photos) implements Scan {
        @Override
        public String told() {
            throw new UnsupportedOperationException("not implemented");
        }
    }
}
