package settings;

import java.util.List;
import java.util.function.Consumer;

/** The settings, and their defaults. */
public final class Settings {
    public enum Level { DEBUG, INFO, WARN, ERROR }

    public static final class Database {
        public String url = "jdbc:h2:mem:";
        public int pool = 4;
        public boolean readOnly = false;
    }

    public String host = "localhost";
    public int port = 8080;
    public Level log = Level.INFO;
    public double timeout = 2.5;
    public List<String> origins = List.of();
    public Database database = new Database();

    /**
     * The settings of this JSON text. The names of members that we don't know go to {@code unknown}.
     *
     * @throws IllegalArgumentException with the reason as its message, if they can't be used
     */
    public static Settings read(String text, Consumer<String> unknown) {
        throw new UnsupportedOperationException("not implemented");
    }

    public String toJson() {
        throw new UnsupportedOperationException("not implemented");
    }
}
