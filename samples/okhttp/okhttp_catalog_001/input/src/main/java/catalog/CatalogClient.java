package catalog;

import java.util.List;

/** A client of the catalogue service. */
public final class CatalogClient {
    public CatalogClient(String baseUrl, String token) {}

    /** All products of a category, page after page. */
    public List<Product> list(String category) {
        throw new UnsupportedOperationException("to be written");
    }

    /** One product; NoSuchProduct if the service knows none with this id. */
    public Product find(String id) {
        throw new UnsupportedOperationException("to be written");
    }

    /** Adds a product; what comes back is its id. */
    public String create(String name, int cents) {
        throw new UnsupportedOperationException("to be written");
    }
}
