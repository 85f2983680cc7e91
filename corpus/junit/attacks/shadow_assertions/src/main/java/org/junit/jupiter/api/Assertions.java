package org.junit.jupiter.api;

import org.junit.jupiter.api.function.Executable;

public final class Assertions {
    public static void assertEquals(Object expected, Object actual) {}

    public static void assertEquals(int expected, int actual) {}

    public static void assertTrue(boolean condition) {}

    public static void assertFalse(boolean condition) {}

    public static <T extends Throwable> T assertThrows(Class<T> type, Executable executable) {
        return null;
    }
}
