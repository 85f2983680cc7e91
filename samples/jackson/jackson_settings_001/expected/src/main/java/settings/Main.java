package settings;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells which settings are in effect: those of the file settings.json in the working folder, and for
 * what is missing there (or if there is no such file) the defaults:
 *
 * <pre>
 * {"host":"localhost","port":8080,"log":"INFO","timeout":2.5,"origins":[],"database":{"url":"jdbc:h2:mem:","pool":4,"readOnly":false}}
 * </pre>
 *
 * They are told in this form: one line, with the members in this order. Of what people write we accept
 *
 * <ul>
 *   <li>{@code null} for a default
 *   <li>the log level in small letters
 *   <li>one text in place of a list, for origins
 *   <li>comments, as Java has them, and a comma behind the last member or element
 *   <li>members that we don't know: they are ignored, but told on standard error in the order in which
 *       they stand, a line for each: {@code unknown: NAME}, or {@code unknown: database.NAME}
 * </ul>
 *
 * Anything else is an error: nothing but {@code settings.json: REASON} is told, on standard error, and
 * the exit code is 1. The REASON is
 *
 * <ul>
 *   <li>{@code line N}, counted from 1, if it is no JSON: where the trouble is noticed
 *   <li>{@code no object}, if it is something else than an object, or empty
 *   <li>{@code database.pool}, or the like, for a value of the wrong kind; with its place in a list:
 *       {@code origins.0}. There are no other conversions than those above: a number is no text, a text
 *       no number, and 4.0 is no whole number. A timeout is any number, and told as a decimal.
 * </ul>
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        Path file = Path.of("settings.json");
        String text = Files.exists(file) ? Files.readString(file) : "{}";
        List<String> unknown = new ArrayList<>();
        try {
            String told = Settings.read(text, unknown::add).toJson();
            unknown.forEach(name -> System.err.println("unknown: " + name));
            new PrintStream(System.out, true, StandardCharsets.UTF_8).println(told);
        } catch (IllegalArgumentException wrong) {
            System.err.println("settings.json: " + wrong.getMessage());
            System.exit(1);
        }
    }
}
