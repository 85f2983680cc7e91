package catalog;

/** There is no product with this id. */
public class NoSuchProduct extends CatalogException {
    public NoSuchProduct(String id) {
        super(404, "no product " + id, null);
    }
}
