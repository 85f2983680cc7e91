package catalog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

public final class CatalogClient {
    private record Answer(int status, String body, String nextPage, String location) {}

    private final OkHttpClient http = new OkHttpClient();
    private final String baseUrl;
    private final String token;

    public CatalogClient(String baseUrl, String token) {
        this.baseUrl = baseUrl;
        this.token = token;
    }

    public List<Product> list(String category) {
        List<Product> all = new ArrayList<>();
        for (String page = "1"; page != null; ) {
            Answer answer = get(products()
                    .addQueryParameter("category", category)
                    .addQueryParameter("page", page));
            check(answer);
            for (String line : answer.body().split("\\R")) {
                if (!line.isEmpty()) {
                    all.add(product(line));
                }
            }
            page = answer.nextPage();
        }
        return all;
    }

    public Product find(String id) {
        Answer answer = get(products().addPathSegment(id));
        if (answer.status() == 404) {
            throw new NoSuchProduct(id);
        }
        check(answer);
        return product(answer.body().trim());
    }

    public String create(String name, int cents) {
        RequestBody form = new FormBody.Builder()
                .add("name", name)
                .add("cents", String.valueOf(cents))
                .build();
        Answer answer = call(new Request.Builder().url(products().build()).post(form));
        check(answer);
        return answer.location().substring(answer.location().lastIndexOf('/') + 1);
    }

    private HttpUrl.Builder products() {
        return HttpUrl.get(baseUrl).newBuilder().addPathSegment("products");
    }

    private Answer get(HttpUrl.Builder url) {
        Answer answer = call(new Request.Builder().url(url.build()));
        for (int again = 0; again < 2 && answer.status() == 503; again++) {
            answer = call(new Request.Builder().url(url.build()));
        }
        return answer;
    }

    private Answer call(Request.Builder request) {
        request.addHeader("Authorization", "Bearer " + token).addHeader("Accept", "text/plain");
        try (Response response = http.newCall(request.build()).execute()) {
            String body = Objects.requireNonNull(response.body()).string();
            return new Answer(response.code(), body, response.header("X-Next-Page"), response.header("Location"));
        } catch (IOException error) {
            throw new CatalogException(0, error.getMessage(), error);
        }
    }

    private static void check(Answer answer) {
        if (answer.status() / 100 != 2) {
            throw new CatalogException(answer.status(), answer.body(), null);
        }
    }

    private static Product product(String line) {
        String[] fields = line.split(";", 3);
        return new Product(fields[0], fields[1], Integer.parseInt(fields[2].trim()));
    }
}
