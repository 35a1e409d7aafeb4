package dev.syncguard.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A redis-server process with its own directory and port. It keeps nothing on disk unless the settings say so. */
public final class RedisServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    private final int port;
    private final Path directory;
    private final List<String> settings;
    private final boolean plain;
    private Process process;

    private RedisServer(int port, List<String> settings) {
        this.port = port;
        this.settings = settings;
        this.plain = !settings.contains("--tls-port");
        try {
            this.directory = Files.createTempDirectory("redis-" + port + "-");
            this.process = launch(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
        awaitReady();
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param settings as on the command line of redis-server, for example {@code "--appendonly", "yes"}
     * @return the running server
     */
    public static RedisServer start(String... settings) {
        return new RedisServer(freePort(), Arrays.asList(settings));
    }

    /**
     * Starts a server that speaks TLS only, without asking clients for a certificate.
     *
     * @param certificates what it presents
     * @param settings further ones
     * @return the running server
     */
    public static RedisServer startTls(TlsCertificates certificates, String... settings) {
        int port = freePort();
        List<String> all = new ArrayList<>(List.of("--tls-port", Integer.toString(port), "--tls-auth-clients", "no"));
        all.addAll(List.of("--tls-cert-file", certificates.certificate().toString()));
        all.addAll(List.of("--tls-key-file", certificates.key().toString()));
        all.addAll(List.of("--tls-ca-cert-file", certificates.certificate().toString()));
        all.addAll(Arrays.asList(settings));
        return new RedisServer(port, all);
    }

    /** A sentinel is the same program; it wants a file of its own that it may rewrite. */
    static RedisServer startSentinel(int port, Path config) {
        return new RedisServer(port, List.of(config.toString(), "--sentinel"));
    }

    /** A port that is free, and whose bus port (+10000) is free as well. */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 50_000);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private Process launch(List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(RedisBinary.path().toString()));
        command.addAll(settings);
        command.addAll(more);
        command.addAll(List.of("--port", plain ? Integer.toString(port) : "0"));
        command.addAll(List.of("--bind", "127.0.0.1", "--dir", directory.toString()));
        if (!settings.contains("--sentinel")) {
            command.addAll(List.of("--save", "", "--repl-diskless-sync-delay", "0"));
        }
        Path log = directory.resolve("server.log");
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!isListening()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                process.destroyForcibly();
                throw new IllegalStateException("redis-server did not start: " + log());
            }
            RedisWire.pause();
        }
    }

    private boolean isListening() {
        return plain ? RedisWire.answersPing(port) : log().contains("Ready to accept connections");
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("server.log"));
        } catch (IOException e) {
            return "(no log)";
        }
    }

    /**
     * Returns the port.
     *
     * @return a loopback port
     */
    public int port() {
        return port;
    }

    /**
     * Returns the address.
     *
     * @return for example {@code redis://127.0.0.1:34567}
     */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * Returns the directory with its files.
     *
     * @return where the server keeps its data
     */
    public Path directory() {
        return directory;
    }

    /**
     * Sends one command over a new connection, past every client under test.
     *
     * @param command the command and its arguments
     * @return the reply as text; elements of a list on lines of their own
     */
    public String command(String... command) {
        return RedisWire.command(port, command);
    }

    /**
     * Sends one command whose reply is a list, as {@link #command} does.
     *
     * @param command the command and its arguments
     * @return the elements, which may contain line breaks
     */
    public List<String> list(String... command) {
        return RedisWire.list(port, command);
    }

    /** Kills the process, as a crash would. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Kills the process and starts it again on the same port, with what is left on disk. */
    public void restart() {
        restartWith(List.of());
    }

    /**
     * Kills the process and starts it again as a replica: without that, a former primary serves clients until the sentinels
     * notice it.
     *
     * @param primary whom to follow
     */
    public void restartAsReplicaOf(RedisServer primary) {
        restartWith(List.of("--replicaof", "127.0.0.1", Integer.toString(primary.port)));
    }

    private void restartWith(List<String> more) {
        kill();
        try {
            process = launch(more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
    }

    /** Stops the process in its tracks (SIGSTOP): connections stay open, nothing answers. */
    public void freeze() {
        signal("STOP");
    }

    /**
     * Returns whether the process is there, frozen or not.
     *
     * @return false after {@link #kill()}
     */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Lets a frozen process go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitExit() {
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
