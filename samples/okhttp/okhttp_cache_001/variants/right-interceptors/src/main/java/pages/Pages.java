package pages;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/** Does everything in interceptors; a header of our own marks old copies. */
public final class Pages implements Closeable {
    private static final String OLD = "X-Old-Copy";
    private static final CacheControl RELOAD = new CacheControl.Builder().noCache().build();
    private static final CacheControl KEPT =
            new CacheControl.Builder().onlyIfCached().maxStale(99999999, TimeUnit.SECONDS).build();

    private final String base;
    private final String language;
    private final OkHttpClient client;

    public Pages(String base, String language, File folder) {
        this.base = base;
        this.language = language;
        Interceptor anHour = chain -> {
            Response answer = chain.proceed(chain.request());
            String path = answer.request().url().encodedPath();
            if (path.startsWith("/static/") && answer.header("Cache-Control") == null) {
                answer = answer.newBuilder().addHeader("Cache-Control", "public, max-age=3600").build();
            }
            return answer;
        };
        client = new OkHttpClient().newBuilder()
                .cache(new Cache(folder, 10L << 20))
                .addInterceptor(Pages::orAnOldCopy)
                .addNetworkInterceptor(anHour)
                .build();
    }

    private static Response orAnOldCopy(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        if (!request.cacheControl().toString().isEmpty()) {
            return chain.proceed(request);
        }
        Request kept = request.newBuilder().cacheControl(KEPT).build();
        try {
            Response answer = chain.proceed(request);
            if (answer.code() < 500) {
                return answer;
            }
            String text = answer.body().string();
            Response copy = chain.proceed(kept);
            if (copy.cacheResponse() != null) {
                return copy.newBuilder().header(OLD, "yes").build();
            }
            copy.close();
            return answer.newBuilder().body(ResponseBody.create(text, answer.body().contentType())).build();
        } catch (IOException broken) {
            Response copy = chain.proceed(kept);
            if (copy.cacheResponse() == null) {
                copy.close();
                throw broken;
            }
            return copy.newBuilder().header(OLD, "yes").build();
        }
    }

    private String ask(String path, CacheControl control) {
        Request.Builder request = new Request.Builder().url(base + path).header("Accept-Language", language);
        if (control != null) {
            request.cacheControl(control);
        }
        try (Response answer = client.newCall(request.build()).execute()) {
            if (control == KEPT && answer.cacheResponse() == null) {
                return "none";
            }
            String from = answer.header(OLD) != null ? "old"
                    : answer.networkResponse() == null ? "copy"
                    : answer.networkResponse().code() == 304 ? "same" : "server";
            return answer.code() + " " + from + " " + answer.body().string();
        } catch (IOException broken) {
            return "failed";
        }
    }

    public String get(String path) {
        return ask(path, null);
    }

    public String reload(String path) {
        return ask(path, RELOAD);
    }

    public String kept(String path) {
        return ask(path, KEPT);
    }

    public boolean drop(String path) throws IOException {
        Iterator<String> urls = client.cache().urls();
        while (urls.hasNext()) {
            if (urls.next().equals(base + path)) {
                urls.remove();
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        client.cache().close();
    }
}
