package vault;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.Route;

/** Stays close to the old code; sizes go into an array, and every request sets its own headers. */
public final class Vault implements Closeable, Authenticator {
    private final String base;
    private final String credentials;
    private final OkHttpClient client;

    public Vault(String base, String user, String password) {
        this.base = base;
        credentials = Credentials.basic(user, password, StandardCharsets.UTF_8);
        client = new OkHttpClient.Builder().authenticator(this).callTimeout(40, TimeUnit.SECONDS).build();
    }

    @Override
    public Request authenticate(Route route, Response response) {
        boolean isFirst = response.priorResponse() == null;
        return isFirst ? response.request().newBuilder().addHeader("Authorization", credentials).build() : null;
    }

    public String save(String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        RequestBody body = RequestBody.create(bytes, MediaType.parse("text/plain; charset=utf-8"));
        return told(request(name).put(body), "saved");
    }

    public String load(String name, String since) {
        Request.Builder request = request(name).get();
        if (!since.equals("-")) {
            Date date = new Date(TimeUnit.SECONDS.toMillis(Long.parseLong(since)));
            String text = new okhttp3.Headers.Builder().add("Date", date).build().get("Date");
            request.header("If-Modified-Since", text);
        }
        return told(request, null);
    }

    /** What is told of a success, if it is not the text. */
    private String told(Request.Builder request, String success) {
        try (Response response = client.newCall(request.build()).execute()) {
            if (response.code() == 304) {
                return "unchanged";
            } else if (!response.isSuccessful()) {
                return "refused " + response.code();
            } else if (success != null) {
                return success;
            }
            Date changed = response.headers().getDate("Last-Modified");
            String seconds = changed == null ? "-" : Long.toString(changed.getTime() / 1000);
            return seconds + " " + response.body().string();
        } catch (IOException broken) {
            return "failed";
        }
    }

    public String sizes(String... names) {
        String[] sizes = new String[names.length];
        CountDownLatch waiting = new CountDownLatch(names.length);
        for (int i = 0; i < names.length; i++) {
            int place = i;
            client.newCall(request(names[place]).head().build()).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException broken) {
                    tell("?");
                }

                @Override
                public void onResponse(Call call, Response response) {
                    String size = response.isSuccessful() ? response.header("Content-Length") : null;
                    response.close();
                    tell(size == null ? "?" : size);
                }

                private void tell(String size) {
                    sizes[place] = names[place] + "=" + size;
                    waiting.countDown();
                }
            });
        }
        try {
            waiting.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        return String.join(" ", sizes);
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdownNow();
        client.connectionPool().evictAll();
    }

    private Request.Builder request(String name) {
        HttpUrl url = HttpUrl.get(base + "/files").newBuilder().addPathSegment(name).build();
        return new Request.Builder().url(url).header("User-Agent", "vault/2 okhttp/" + OkHttp.VERSION);
    }
}
