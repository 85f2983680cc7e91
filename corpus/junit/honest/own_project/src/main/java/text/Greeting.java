package text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Finds its resource where Maven would put it. */
final class Greeting {
    static String read() {
        try (InputStream stream = Greeting.class.getResourceAsStream("greeting.txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
