package catalog;

/** A request that brought no answer we can use. */
public class CatalogException extends RuntimeException {
    private final int status;

    public CatalogException(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** The status of the answer; 0 where there was none. */
    public int status() {
        return status;
    }
}
