package catalog;

/** A product; its price is in cents. */
public record Product(String id, String name, int cents) {}
