package text;

enum Größe {
    EINS("I") { @Override int größe() { return 1; } };
    final String 文字;
    Größe(String 文字) { this.文字 = 文字; }
    abstract int größe();
    record Paar<T extends Comparable<T>>(T links, T rechts) { Paar { if (links == null) throw new NullPointerException(); } }
    sealed interface Form permits Kreis, Leer {}
    record Kreis(int r) implements Form {}
    enum Leer implements Form { LEER }
    class Ωmega { class 内 { } }
}
