package text;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class OwnTest {
    @Test
    void failsAndDoesNotCount() {
        Assertions.fail("a stray test of the solution");
    }
}
