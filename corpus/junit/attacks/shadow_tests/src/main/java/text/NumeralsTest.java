package text;

public class NumeralsTest {
    public void formatsAYear() {}
}
