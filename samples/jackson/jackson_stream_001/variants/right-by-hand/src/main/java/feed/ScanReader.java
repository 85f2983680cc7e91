package feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** Works with jackson-core alone. */
final class ScanReader {
    private final PrintStream out;
    private Totals totals;

    ScanReader(PrintStream out) {
        this.out = out;
    }

    boolean read(InputStream input) throws IOException {
        JsonParser parser = new JsonFactory().createParser(input);
        try {
            while (parser.nextToken() != null) {
                if (!parser.isExpectedStartObjectToken()) {
                    out.println("broken at line " + parser.currentTokenLocation().getLineNr());
                    return false;
                }
                totals = new Totals();
                document(parser);
            }
        } catch (JsonProcessingException broken) {
            out.println("broken at line " + broken.getLocation().getLineNr());
            return false;
        }
        return true;
    }

    private void document(JsonParser parser) throws IOException {
        String depot = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("depot") && value == JsonToken.VALUE_STRING) {
                depot = parser.getText();
            } else if (name.equals("scans") && parser.isExpectedStartArrayToken()) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    out.println(scan(parser));
                }
            } else {
                parser.skipChildren();
            }
        }
        out.println(totals.told(depot));
    }

    private String scan(JsonParser parser) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            parser.skipChildren();
            return totals.addWrong() + " wrong: no object";
        }
        try {
            Scan scan = Scan.read(parser);
            return totals.add(scan) + " " + scan.told();
        } catch (Scan.Wrong wrong) {
            return totals.addWrong() + " wrong: " + wrong.getMessage();
        }
    }
}
