package vault;

import java.io.Closeable;
import java.io.IOException;
import java.util.Date;
import java.util.concurrent.CountDownLatch;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.internal.Util;
import okhttp3.internal.Version;
import okhttp3.internal.http.HttpDate;
import okhttp3.internal.http.HttpHeaders;

/** Written for OkHttp 3.12, with some of its internals; pom.xml names OkHttp 5 already. */
public final class Vault implements Closeable {
    private static final MediaType TEXT = MediaType.parse("text/plain; charset=utf-8");

    private final HttpUrl base;
    private final OkHttpClient client;

    public Vault(String base, String user, String password) {
        this.base = HttpUrl.parse(base);
        String credentials = Credentials.basic(user, password);
        client = new OkHttpClient.Builder()
                .addInterceptor(chain -> chain.proceed(chain.request().newBuilder()
                        .header("User-Agent", "vault/2 " + Version.userAgent())
                        .build()))
                .authenticator((route, response) -> response.request().newBuilder()
                        .header("Authorization", credentials)
                        .build())
                .build();
    }

    public String save(String name, String text) {
        Request request = request(name).put(RequestBody.create(TEXT, text)).build();
        Response response = null;
        try {
            response = client.newCall(request).execute();
            return response.isSuccessful() ? "saved" : "refused " + response.code();
        } catch (IOException broken) {
            return "failed";
        } finally {
            Util.closeQuietly(response);
        }
    }

    public String load(String name, String since) {
        Request.Builder request = request(name);
        if (!since.equals("-")) {
            Date date = new Date(Long.parseLong(since) * 1000);
            request.header("If-Modified-Since", HttpDate.format(date));
        }
        Response response = null;
        try {
            response = client.newCall(request.build()).execute();
            if (response.code() == 304) {
                return "unchanged";
            }
            if (!response.isSuccessful()) {
                return "refused " + response.code();
            }
            String told = response.header("Last-Modified");
            Date changed = told == null ? null : HttpDate.parse(told);
            String seconds = changed == null ? "-" : String.valueOf(changed.getTime() / 1000);
            return seconds + " " + response.body().string();
        } catch (IOException broken) {
            return "failed";
        } finally {
            Util.closeQuietly(response);
        }
    }

    public String sizes(String... names) {
        final StringBuffer sizes = new StringBuffer();
        final CountDownLatch waiting = new CountDownLatch(names.length);
        for (final String name : names) {
            client.newCall(request(name).head().build()).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException broken) {
                    sizes.append(" ").append(name).append("=?");
                }

                @Override
                public void onResponse(Call call, Response response) {
                    long size = HttpHeaders.contentLength(response);
                    sizes.append(" ").append(name).append("=").append(size < 0 ? "?" : size);
                    Util.closeQuietly(response);
                    waiting.countDown();
                }
            });
        }
        try {
            waiting.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return sizes.toString().trim();
    }

    /** Without this, the threads of OkHttp keep the program alive for a minute. */
    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }

    private Request.Builder request(String name) {
        HttpUrl url = base.newBuilder().addPathSegment("files").addPathSegment(name).build();
        return new Request.Builder().url(url);
    }
}
