package dev.syncguard.testbed.firestore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Google's own emulator, where this machine has it: an oracle for the stand-in. It is never downloaded.
 *
 * <p>A running one that {@value #HOST_VARIABLE} names is used as it is. Else it is started from the file that
 * {@value #JAR_VARIABLE} names, or from where the packages of the Google Cloud CLI put it.
 */
public final class FirestoreEmulator implements AutoCloseable {

    /** Names a running emulator: host and port, joined by a colon. */
    public static final String HOST_VARIABLE = "FIRESTORE_EMULATOR_HOST";

    /** Names the emulator's jar. */
    public static final String JAR_VARIABLE = "FIRESTORE_EMULATOR_JAR";

    private static final Path PACKAGED_JAR =
            Path.of("/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar");
    private static final String MAIN_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final String hostAndPort;
    private final @Nullable Process process;

    private FirestoreEmulator(String hostAndPort, @Nullable Process process) {
        this.hostAndPort = hostAndPort;
        this.process = process;
    }

    /**
     * Tells whether there is one.
     *
     * @return whether {@link #start()} can be called
     */
    public static boolean found() {
        return System.getenv(HOST_VARIABLE) != null || jar().isPresent();
    }

    private static Optional<Path> jar() {
        String given = System.getenv(JAR_VARIABLE);
        return Optional.of(given == null ? PACKAGED_JAR : Path.of(given)).filter(Files::isRegularFile);
    }

    /**
     * Starts it, or finds the running one, and waits until it takes connections.
     *
     * @return the emulator
     */
    public static FirestoreEmulator start() {
        String running = System.getenv(HOST_VARIABLE);
        if (running != null) {
            return new FirestoreEmulator(running, null);
        }
        Path jar = jar().orElseThrow(() -> new IllegalStateException("no emulator here; set " + JAR_VARIABLE));
        try {
            return launch(jar, freePort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FirestoreEmulator launch(Path jar, int port) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        List.of(java, "-cp", jar.toString(), MAIN_CLASS, "--host", "127.0.0.1", "--port", "" + port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitPort(process, port);
        return new FirestoreEmulator("127.0.0.1:" + port, process);
    }

    private static void awaitPort(Process process, int port) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers(port)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("the emulator did not start");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Returns the address.
     *
     * @return host and port, joined by a colon
     */
    public String hostAndPort() {
        return hostAndPort;
    }

    /** Ends it, if it was started here. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
