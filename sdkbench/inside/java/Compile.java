import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Runs javac once for each argument file, in one virtual machine, and stops at the first error. */
final class Compile {
    private Compile() {}

    public static void main(String[] argumentFiles) {
        Locale.setDefault(Locale.ROOT);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (String file : argumentFiles) {
            int status = compiler.run(null, System.out, System.err, "@" + file);
            if (status != 0) {
                // Told apart from a crash of the machine itself: which file it was, from 10.
                System.exit(10 + java.util.Arrays.asList(argumentFiles).indexOf(file));
            }
        }
    }
}
