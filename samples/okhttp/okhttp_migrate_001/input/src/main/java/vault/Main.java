package vault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Keeps texts on a server: {@code vault.Main BASE USER PASSWORD}. BASE is its address without a slash
 * at the end. The commands stand on standard input, one a line:
 *
 * <pre>
 * save NAME TEXT    stores the rest of the line: saved
 * load NAME SINCE   the text if it was changed after SINCE (seconds since 1970, or - for any time), as
 *                   SECONDS TEXT; SECONDS is when it was changed, - if the server does not say so. If it
 *                   was not changed (304): unchanged
 * sizes NAME…       how many bytes the texts have, all asked for at the same time: NAME=SIZE with blanks
 *                   between them, in the order of the names; NAME=? where the server does not say a
 *                   size, refuses, or can't be asked
 * </pre>
 *
 * Any other status is told as {@code refused STATUS}, and no answer as {@code failed}; the next command
 * is obeyed all the same.
 *
 * <ul>
 *   <li>The requests are PUT (as {@code text/plain; charset=utf-8}), GET and HEAD of BASE/files/NAME, where
 *       NAME is one segment of the path, whatever is in it.
 *   <li>User-Agent is {@code vault/2 okhttp/VERSION}, with the version of the OkHttp that is in use.
 *   <li>SINCE is told as If-Modified-Since, in the form of a date that HTTP prefers. Last-Modified comes in
 *       any of the three forms that HTTP knows.
 *   <li>User and password (as UTF-8) are sent if the server asks for them (401, Basic), and not before. If
 *       it is not content with them, it is not asked again: {@code refused 401}.
 * </ul>
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Vault vault = new Vault(words[0], words[1], words[2])) {
            InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
            BufferedReader lines = new BufferedReader(input);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ", 3);
                out.println(switch (parts[0]) {
                    case "save" -> vault.save(parts[1], parts[2]);
                    case "load" -> vault.load(parts[1], parts[2]);
                    default -> vault.sizes(line.substring(6).split(" "));
                });
            }
        }
    }
}
