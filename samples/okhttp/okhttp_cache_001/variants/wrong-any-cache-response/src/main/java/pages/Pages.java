package pages;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Iterator;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/** The pages of one server, and copies of them. */
public final class Pages implements Closeable {
    private final String base;
    private final Cache copies;
    private final OkHttpClient client;

    public Pages(String base, String language, File folder) {
        this.base = base;
        copies = new Cache(folder, 10 * 1024 * 1024);
        client = new OkHttpClient.Builder()
                .cache(copies)
                // Before the cache, for the server may tell by Vary that pages depend on it.
                .addInterceptor(chain -> chain.proceed(
                        chain.request().newBuilder().header("Accept-Language", language).build()))
                // After the cache, which then takes the answer for the server's own.
                .addNetworkInterceptor(Pages::staticForAnHour)
                .build();
    }

    private static Response staticForAnHour(Interceptor.Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        boolean isStatic = chain.request().url().encodedPath().startsWith("/static/");
        if (!isStatic || response.header("Cache-Control") != null) {
            return response;
        }
        return response.newBuilder().header("Cache-Control", "max-age=3600").build();
    }

    public String get(String path) throws IOException {
        Request request = request(path, null);
        String told;
        try (Response response = client.newCall(request).execute()) {
            told = told(response);
            if (response.code() < 500) {
                return told;
            }
        } catch (IOException unreachable) {
            told = "failed";
        }
        try (Response copy = client.newCall(request(path, CacheControl.FORCE_CACHE)).execute()) {
            return isCopy(copy) ? copy.code() + " old " + copy.body().string() : told;
        }
    }

    public String reload(String path) {
        try (Response response = client.newCall(request(path, CacheControl.FORCE_NETWORK)).execute()) {
            return told(response);
        } catch (IOException unreachable) {
            return "failed";
        }
    }

    public String kept(String path) throws IOException {
        try (Response copy = client.newCall(request(path, CacheControl.FORCE_CACHE)).execute()) {
            return isCopy(copy) ? told(copy) : "none";
        }
    }

    public boolean drop(String path) throws IOException {
        String url = HttpUrl.get(base + path).toString();
        boolean known = false;
        for (Iterator<String> urls = copies.urls(); urls.hasNext(); ) {
            if (urls.next().equals(url)) {
                urls.remove();
                known = true;
            }
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        copies.close();
    }

    private Request request(String path, CacheControl control) {
        Request.Builder request = new Request.Builder().url(base + path);
        return control == null ? request.build() : request.cacheControl(control).build();
    }

    private static boolean isCopy(Response response) {
        return response.cacheResponse() != null;
    }

    private static String told(Response response) throws IOException {
        String from = "server";
        if (response.cacheResponse() != null) {
            from = response.networkResponse() == null ? "copy" : "same";
        }
        try (ResponseBody body = response.body()) {
            return response.code() + " " + from + " " + body.string();
        }
    }
}
