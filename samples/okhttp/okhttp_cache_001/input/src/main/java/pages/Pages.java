package pages;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;

/** The pages of one server, and copies of them. Main tells what each method answers. */
public final class Pages implements Closeable {
    /** Copies take 10 MiB at most, and are there for the next run, too. */
    public Pages(String base, String language, File folder) {
        throw new UnsupportedOperationException("not implemented");
    }

    public String get(String path) throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }

    public String reload(String path) throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }

    public String kept(String path) throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }

    /** Whether there was a copy. */
    public boolean drop(String path) throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException("not implemented");
    }
}
