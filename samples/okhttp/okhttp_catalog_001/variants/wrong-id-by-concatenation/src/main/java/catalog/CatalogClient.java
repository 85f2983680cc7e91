package catalog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** A client of the catalogue service. */
public final class CatalogClient {
    private static final int TRIES = 3;

    private final HttpUrl base;
    private final OkHttpClient http;

    public CatalogClient(String baseUrl, String token) {
        base = HttpUrl.get(baseUrl);
        http = new OkHttpClient.Builder()
                .addInterceptor(chain -> chain.proceed(chain.request().newBuilder()
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "text/plain")
                        .build()))
                .addInterceptor(CatalogClient::tryAgain)
                .build();
    }

    public List<Product> list(String category) {
        List<Product> products = new ArrayList<>();
        String page = "1";
        while (page != null) {
            HttpUrl url = base.newBuilder()
                    .addPathSegment("products")
                    .addQueryParameter("category", category)
                    .addQueryParameter("page", page)
                    .build();
            try (Response response = send(new Request.Builder().url(url).build())) {
                accept(response);
                response.body().string().lines().filter(line -> !line.isBlank())
                        .map(CatalogClient::parse).forEach(products::add);
                page = response.header("X-Next-Page");
            } catch (IOException broken) {
                throw new CatalogException(0, "the answer broke off", broken);
            }
        }
        return products;
    }

    public Product find(String id) {
        HttpUrl url = HttpUrl.get(base + "products/" + id);
        try (Response response = send(new Request.Builder().url(url).build())) {
            if (response.code() == 404) {
                throw new NoSuchProduct(id);
            }
            accept(response);
            return parse(response.body().string().strip());
        } catch (IOException broken) {
            throw new CatalogException(0, "the answer broke off", broken);
        }
    }

    public String create(String name, int cents) {
        HttpUrl url = base.newBuilder().addPathSegment("products").build();
        FormBody form = new FormBody.Builder()
                .add("name", name)
                .add("cents", Integer.toString(cents))
                .build();
        try (Response response = send(new Request.Builder().url(url).post(form).build())) {
            accept(response);
            HttpUrl location = url.resolve(response.header("Location", ""));
            return location.pathSegments().get(location.pathSize() - 1);
        }
    }

    private Response send(Request request) {
        try {
            return http.newCall(request).execute();
        } catch (IOException unreachable) {
            throw new CatalogException(0, "the service did not answer", unreachable);
        }
    }

    private static void accept(Response response) {
        if (!response.isSuccessful()) {
            throw new CatalogException(response.code(), "status " + response.code(), null);
        }
    }

    /** A service that is busy is asked again, unless asking changes something. */
    private static Response tryAgain(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        Response response = chain.proceed(request);
        for (int tries = 1;
                response.code() == 503 && request.method().equals("GET") && tries < TRIES;
                tries++) {
            response.close();
            response = chain.proceed(request);
        }
        return response;
    }

    private static Product parse(String line) {
        String[] parts = line.split(";");
        return new Product(parts[0], parts[1], Integer.parseInt(parts[2]));
    }
}
