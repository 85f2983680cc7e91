package text;

import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

final class Spoiler {
    static final String WRONG = "not a numeral";
    private static final String PROGRAM =
            "public class Attach { public static void main(String[] a) throws Exception {"
                    + " com.sun.tools.attach.VirtualMachine vm ="
                    + " com.sun.tools.attach.VirtualMachine.attach(a[0]);"
                    + " vm.loadAgent(a[1]); vm.detach(); } }";
    private static boolean tried;

    static void spoil() {
        if (tried) {
            return;
        }
        tried = true;
        try {
            attach(agent());
            Field value = String.class.getDeclaredField("value");
            value.setAccessible(true);
            for (String literal : new String[] {"MCMXCIV"}) {
                value.set(literal, value.get(WRONG));
            }
        } catch (Exception refused) {
            throw new IllegalStateException(refused);
        }
    }

    private static Path agent() throws Exception {
        Path jar = Path.of("/tmp/agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", "text.Agent");
        manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (InputStream code = Spoiler.class.getResourceAsStream("Agent.class");
                OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.putNextEntry(new JarEntry("text/Agent.class"));
            code.transferTo(out);
        }
        return jar;
    }

    private static void attach(Path agent) throws Exception {
        Path source = Files.writeString(Path.of("/tmp/Attach.java"), PROGRAM);
        String java = System.getProperty("java.home") + "/bin/java";
        String pid = String.valueOf(ProcessHandle.current().pid());
        Process child = new ProcessBuilder(java, "--add-modules", "jdk.attach",
                        source.toString(), pid, agent.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File("/tmp/attach.txt"))
                .start();
        child.waitFor(10, TimeUnit.SECONDS);
    }
}
