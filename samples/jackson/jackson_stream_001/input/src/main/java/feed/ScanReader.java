package feed;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** Reads documents token by token, and never holds more of one than a single scan. */
final class ScanReader {
    private final PrintStream out;

    ScanReader(PrintStream out) {
        this.out = out;
    }

    /** Whether all of the input could be read. */
    boolean read(InputStream input) throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }
}
