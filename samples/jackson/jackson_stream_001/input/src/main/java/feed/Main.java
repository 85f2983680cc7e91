package feed;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads what our depots send, on standard input: JSON objects one after another, each as long as it
 * likes, as in
 *
 * <pre>
 * {"depot": "HAM", "scans": [{"kind": "arrival", "parcel": "P1", "kilos": 2.50}, …]}
 * </pre>
 *
 * A scan is an object of one of these kinds, with members that must be there and be of just this type;
 * nothing is converted, and null is as good as missing:
 *
 * <pre>
 * arrival     parcel (text), kilos (a number above 0)
 * departure   parcel (text), to (text)
 * damage      parcel (text), note (text), photos (a list of texts; may be missing, and is empty then)
 * </pre>
 *
 * Members come in any order, kind as well. Those that we don't know are passed over, whatever is in
 * them, in scans and in documents. So is a depot that is no text, and scans that are no list.
 *
 * <p>Each scan is told as soon as it was read, for what comes behind it may be broken, or not be there
 * yet. N counts the scans of a document from 1, wrong ones included:
 *
 * <pre>
 * N arrival PARCEL KILOS            exactly, without an exponent or zeros at the end
 * N departure PARCEL to TO
 * N damage PARCEL NOTE (PHOTOS)     PHOTOS is their number
 * N wrong: REASON                   no object; no kind (missing, or no text); unknown kind KIND; or
 *                                   bad MEMBER, such as bad kilos (also for what is in the list photos)
 * </pre>
 *
 * and behind the last scan of a document, with the sum of all arrivals, written as above:
 *
 * <pre>
 * depot DEPOT: SCANS scans, WRONG wrong, KILOS kilos      DEPOT is - if there was none
 * </pre>
 *
 * What is no JSON, or no object where a document should begin, ends everything, with
 * {@code broken at line N} and exit code 2. Lines are counted from 1, and N is that of the text that
 * can't be read; of a document that breaks off, the last one.
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (!new ScanReader(out).read(System.in)) {
            System.exit(2);
        }
    }
}
