package pages;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads pages of one server, and keeps copies of them in the folder {@code copies} of the working
 * folder: {@code pages.Main BASE LANGUAGE}. BASE is the server's address without a slash at the end;
 * every request says {@code Accept-Language: LANGUAGE}. The commands stand on standard input, one a
 * line:
 *
 * <pre>
 * get PATH      the page, from a copy if that is still fresh
 * reload PATH   the page as the server has it now; no copy is looked at, but the answer may be kept
 * kept PATH     a copy, however old; the server is not asked. A copy that the server wants to be asked
 *               about each time (no-cache, must-revalidate) must not be told so
 * drop PATH     removes the copies of this page: dropped, or none if there is none
 * </pre>
 *
 * A page is told as {@code STATUS FROM BODY} (bodies are one line of text), where FROM is
 *
 * <pre>
 * server    the server's own answer
 * copy      a copy, and nobody was asked
 * same      a copy, of which the server said (304) that it is still right
 * old       a copy that was no longer fresh, because the server could not answer (below)
 * </pre>
 *
 * and {@code none} stands for a page of which {@code kept} finds no copy, {@code failed} for one that
 * the server could not be asked for.
 *
 * <p>Copies are kept and checked by the rules of HTTP, with two exceptions:
 *
 * <ul>
 *   <li>pages whose path begins with {@code /static/} and whose answer has no Cache-Control are fresh
 *       for an hour
 *   <li>if {@code get} asks the server, and there is no connection or a status of 500 or more, a copy
 *       is told instead, however old it is; the server's answer is told if there is no copy
 * </ul>
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Pages pages = new Pages(words[0], words[1], new File("copies"))) {
            InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
            BufferedReader lines = new BufferedReader(input);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ", 2);
                out.println(switch (parts[0]) {
                    case "get" -> pages.get(parts[1]);
                    case "reload" -> pages.reload(parts[1]);
                    case "kept" -> pages.kept(parts[1]);
                    default -> pages.drop(parts[1]) ? "dropped" : "none";
                });
            }
        }
    }
}
