package vault;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import okhttp3.Credentials;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Texts on a server, with nothing but what OkHttp offers to everybody. */
public final class Vault implements Closeable {
    private static final MediaType TEXT = MediaType.get("text/plain; charset=utf-8");

    private final HttpUrl base;
    private final OkHttpClient client;

    public Vault(String base, String user, String password) {
        this.base = HttpUrl.get(base);
        String credentials = Credentials.basic(user, password, StandardCharsets.UTF_8);
        client = new OkHttpClient.Builder()
                .addInterceptor(chain -> chain.proceed(chain.request().newBuilder()
                        .header("User-Agent", "vault/2 okhttp/" + OkHttp.VERSION)
                        .build()))
                .authenticator((route, response) -> {
                    if (response.request().header("Authorization") != null) {
                        return null; // they have been refused
                    }
                    return response.request().newBuilder().header("Authorization", credentials).build();
                })
                .build();
    }

    public String save(String name, String text) {
        Request request = request(name).put(RequestBody.create(text, TEXT)).build();
        try (Response response = client.newCall(request).execute()) {
            return response.isSuccessful() ? "saved" : "refused " + response.code();
        } catch (IOException broken) {
            return "failed";
        }
    }

    public String load(String name, String since) {
        Headers.Builder headers = new Headers.Builder();
        if (!since.equals("-")) {
            headers.set("If-Modified-Since", Instant.ofEpochSecond(Long.parseLong(since)));
        }
        Request request = request(name).headers(headers.build()).build();
        try (Response response = client.newCall(request).execute()) {
            if (response.code() == 304) {
                return "unchanged";
            }
            if (!response.isSuccessful()) {
                return "refused " + response.code();
            }
            Instant changed = response.headers().getInstant("Last-Modified");
            String seconds = changed == null ? "-" : String.valueOf(changed.getEpochSecond());
            return seconds + " " + response.body().string();
        } catch (IOException broken) {
            return "failed";
        }
    }

    public String sizes(String... names) {
        List<CompletableFuture<String>> sizes = new ArrayList<>();
        for (String name : names) {
            sizes.add(size(request(name).head().build()).thenApply(size -> name + "=" + size));
        }
        return String.join(" ", sizes.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<String> size(Request request) {
        CompletableFuture<String> size = new CompletableFuture<>();
        try (Response response = client.newCall(request).execute()) {
            size.complete(response.isSuccessful() ? response.header("Content-Length", "?") : "?");
        } catch (IOException broken) {
            size.complete("?");
        }
        return size;
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
