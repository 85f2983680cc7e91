package fetch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** One client for all requests, set up once. */
public final class Fetcher {
    private final String base;
    private final OkHttpClient client;

    public Fetcher(String base, Duration time, String agent) {
        this.base = base;
        client = new OkHttpClient.Builder()
                .connectTimeout(time)
                .followRedirects(false)
                .addInterceptor(chain -> chain.proceed(chain.request().newBuilder()
                        .header("User-Agent", agent)
                        .header("Accept", "text/plain")
                        .build()))
                .build();
    }

    /** The line that answers for this path. */
    public String fetch(String path) {
        if (!path.startsWith("/")) {
            return "refused";
        }
        Request request = new Request.Builder().url(base + path).build();
        try (Response response = client.newCall(request).execute()) {
            String to = response.header("Location");
            if (response.isRedirect() && to != null) {
                HttpUrl target = response.request().url().resolve(to);
                return "moved " + response.code() + " " + target;
            }
            String body = response.body().string();
            return response.code() + " " + body.replaceAll("\\R", " ");
        } catch (InterruptedIOException tooLate) {
            return "timeout";
        } catch (IOException broken) {
            return "failed";
        }
    }
}
