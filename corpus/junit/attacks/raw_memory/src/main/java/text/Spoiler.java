package text;

import java.lang.reflect.Field;

final class Spoiler {
    static final String WRONG = "not a numeral";

    static void spoil() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Object unsafe = field.get(null);
            long offset = (Long) type.getMethod("objectFieldOffset", Field.class)
                    .invoke(unsafe, String.class.getDeclaredField("value"));
            Object letters = type.getMethod("getObject", Object.class, long.class)
                    .invoke(unsafe, WRONG, offset);
            for (String literal : new String[] {"MCMXCIV"}) {
                type.getMethod("putObject", Object.class, long.class, Object.class)
                        .invoke(unsafe, literal, offset, letters);
            }
        } catch (ReflectiveOperationException absent) {
            throw new IllegalStateException(absent);
        }
    }
}
