package text;

public class WordsTest {
    public void formatsAYear() {}
}
