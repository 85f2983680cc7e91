package feed;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import java.math.BigDecimal;
import java.util.List;

/** One scan of a parcel. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Scan.Arrival.class, name = "arrival"),
    @JsonSubTypes.Type(value = Scan.Departure.class, name = "departure"),
    @JsonSubTypes.Type(value = Scan.Damage.class, name = "damage"),
})
public sealed interface Scan {
    String parcel();

    /** As Main shows it, without the number. */
    String told();

    record Arrival(
            @JsonProperty(required = true) String parcel,
            @JsonProperty(required = true) BigDecimal kilos) implements Scan {
        public Arrival {
            if (kilos.signum() <= 0) {
                throw new IllegalArgumentException("kilos");
            }
        }

        @Override
        public String told() {
            return "arrival " + parcel + " " + Totals.plain(kilos);
        }
    }

    record Departure(
            @JsonProperty(required = true) String parcel,
            @JsonProperty(required = true) String to) implements Scan {
        @Override
        public String told() {
            return "departure " + parcel + " to " + to;
        }
    }

    record Damage(
            @JsonProperty(required = true) String parcel,
            @JsonProperty(required = true) String note,
            @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL) List<String> photos) implements Scan {
        @Override
        public String told() {
            return "damage " + parcel + " " + note + " (" + photos.size() + ")";
        }
    }
}
