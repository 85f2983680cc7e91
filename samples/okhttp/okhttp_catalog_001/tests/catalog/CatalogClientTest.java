package catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.mockwebserver.MockResponse;
import okhttp3.mockwebserver.MockWebServer;
import okhttp3.mockwebserver.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CatalogClientTest {
    private final MockWebServer server = new MockWebServer();
    private CatalogClient client;

    @BeforeEach
    void start() throws IOException {
        server.start();
        client = new CatalogClient("http://" + server.getHostName() + ":" + server.getPort(), "s3cret");
    }

    @AfterEach
    void stop() throws IOException {
        server.shutdown();
    }

    @Test
    void everyRequestCarriesTheToken() throws Exception {
        answer(200, "7;tea;350\n");
        client.find("7");
        RecordedRequest request = next();
        assertEquals("Bearer s3cret", request.getHeader("Authorization"));
        assertEquals("text/plain", request.getHeader("Accept"));
    }

    @Test
    void listAsksForTheCategoryAndReadsEachLine() throws Exception {
        answer(200, "1;green tea;420\n\n2;black tea;380\n");
        List<Product> products = client.list("tea & more");
        assertEquals(List.of(new Product("1", "green tea", 420), new Product("2", "black tea", 380)), products);
        RecordedRequest request = next();
        assertEquals(List.of("products"), request.getRequestUrl().pathSegments());
        assertEquals("tea & more", request.getRequestUrl().queryParameter("category"));
        assertEquals("1", request.getRequestUrl().queryParameter("page"));
    }

    @Test
    void listFollowsThePages() throws Exception {
        server.enqueue(new MockResponse().setBody("1;a;1\n").setHeader("X-Next-Page", "2"));
        server.enqueue(new MockResponse().setBody("2;b;2\n").setHeader("X-Next-Page", "x9"));
        server.enqueue(new MockResponse().setBody("3;c;3\n"));
        List<String> ids = client.list("all").stream().map(Product::id).toList();
        assertEquals(List.of("1", "2", "3"), ids);
        next();
        next();
        assertEquals("x9", next().getRequestUrl().queryParameter("page"));
    }

    @Test
    void findKeepsTheIdInOneSegment() throws Exception {
        answer(200, "a/b ?;odd;1\n");
        assertEquals(new Product("a/b ?", "odd", 1), client.find("a/b ?"));
        RecordedRequest request = next();
        assertEquals(List.of("products", "a/b ?"), request.getRequestUrl().pathSegments());
    }

    @Test
    void anUnknownProductIsNoSuchProduct() {
        answer(404, "");
        assertThrows(NoSuchProduct.class, () -> client.find("8"));
    }

    @Test
    void aBusyServiceIsAskedAgain() {
        answer(503, "busy");
        answer(503, "still busy");
        answer(200, "7;tea;350\n");
        assertEquals(new Product("7", "tea", 350), client.find("7"));
        assertEquals(3, server.getRequestCount());
    }

    @Test
    void aServiceThatStaysBusyIsAskedThreeTimes() {
        for (int i = 0; i < 4; i++) {
            answer(503, "");
        }
        CatalogException thrown = assertThrows(CatalogException.class, () -> client.list("tea"));
        assertEquals(503, thrown.status());
        assertEquals(3, server.getRequestCount());
    }

    @Test
    void createPostsAFormAndReadsTheLocation() throws Exception {
        server.enqueue(new MockResponse().setResponseCode(201).setHeader("Location", "/products/n-12"));
        assertEquals("n-12", client.create("mint & lemon", 499));
        RecordedRequest request = next();
        assertEquals("POST", request.getMethod());
        assertEquals("/products", request.getPath());
        assertEquals("name=mint%20%26%20lemon&cents=499", request.getBody().readUtf8().replace("+", "%20"));
    }

    @Test
    void createIsNeverSentTwice() {
        answer(503, "");
        answer(503, "");
        CatalogException thrown = assertThrows(CatalogException.class, () -> client.create("mint", 1));
        assertEquals(503, thrown.status());
        assertEquals(1, server.getRequestCount());
    }

    @Test
    void noConnectionIsStatusZero() throws Exception {
        server.shutdown();
        CatalogException thrown = assertThrows(CatalogException.class, () -> client.find("7"));
        assertEquals(0, thrown.status());
    }

    private void answer(int status, String body) {
        server.enqueue(new MockResponse().setResponseCode(status).setBody(body));
    }

    private RecordedRequest next() throws InterruptedException {
        return server.takeRequest(2, TimeUnit.SECONDS);
    }
}
