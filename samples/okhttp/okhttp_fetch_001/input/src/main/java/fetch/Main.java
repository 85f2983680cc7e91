package fetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;

/**
 * Fetches pages of one server: {@code fetch.Main BASE MILLISECONDS AGENT}. BASE is its address
 * without a slash at the end, MILLISECONDS the time that one request may take in all, AGENT what it
 * is told as User-Agent. Every line of standard input is a path; each has one line of answer:
 *
 * <pre>
 * STATUS BODY       the body as text, with its line ends as blanks
 * moved STATUS TO   a redirection, which is not followed; TO is its Location, resolved to a whole URL
 * timeout           no answer in time
 * refused           a path that does not begin with a slash; nothing is asked
 * failed            anything else that went wrong
 * </pre>
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        Duration time = Duration.ofMillis(Long.parseLong(words[1]));
        Fetcher fetcher = new Fetcher(words[0], time, words[2]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String path = lines.readLine(); path != null; path = lines.readLine()) {
            System.out.println(fetcher.fetch(path));
        }
    }
}
