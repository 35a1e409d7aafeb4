package dev.syncguard.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL on a free port of this machine; nothing needs to be installed. Runs as root, too.
 *
 * <p>Every role connects without a password, except {@value #SECRET_ROLE}. Which version it is, the build says
 * ({@code -Dembedded-postgres.version}). Ends with {@link #close()}, or with the JVM.
 */
public final class PostgresServer implements AutoCloseable {

    /** Names a database that tests use instead of starting a server: a JDBC URL with user and password. */
    public static final String VARIABLE = "SYNCGUARD_TEST_POSTGRES";

    /** The role that needs its password; a test creates it. A pattern of names would need PostgreSQL 16. */
    public static final String SECRET_ROLE = "secret_role";

    private static final String SETTINGS = "postgresql.conf";
    private static final String PID = "postmaster.pid";

    private static @Nullable String sharedUrl;

    private final PostgresUser user;
    private final Path binaries;
    private final Path data;
    private final int port;
    private final List<String> options;
    private final Thread atExit = new Thread(this::close);
    private boolean closed;
    private boolean frozen;

    private PostgresServer(PostgresUser user, Path data, Map<String, String> settings) throws IOException {
        this.user = user;
        this.binaries = PostgresBinaries.unpacked(user.directory()).resolve("bin");
        this.data = data;
        this.port = freePort();
        this.options = new ArrayList<>(List.of("-p " + port, "-c listen_addresses=127.0.0.1"));
        options.add("-c unix_socket_directories=");
        options.add("-c password_encryption=scram-sha-256"); // the default from 14 on
        settings.forEach((name, value) -> options.add("-c " + name + "='" + value + "'"));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Returns a database that all tests of this JVM share: that of {@value #VARIABLE} if it is set, else one on a server
     * that is started on first use. It is not restarted, and its settings are not changed.
     *
     * @return the JDBC URL, with user and password
     */
    public static synchronized String sharedUrl() {
        if (sharedUrl == null) {
            String given = System.getenv(VARIABLE);
            sharedUrl = given != null
                    ? given
                    : start(Map.of("max_connections", "200")).url();
        }
        return sharedUrl;
    }

    /**
     * Starts a server of one's own.
     *
     * @param settings what to change in its configuration
     * @return the server, ready for connections
     */
    public static PostgresServer start(Map<String, String> settings) {
        try {
            return start(PostgresUser.choose(), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PostgresServer start(PostgresUser user, Map<String, String> settings) throws IOException {
        PostgresServer server = new PostgresServer(user, newDirectory(user), settings);
        server.user.run(
                List.of(
                        server.binaries.resolve("initdb").toString(),
                        "--auth=trust",
                        "--username=postgres",
                        "--encoding=UTF8",
                        "--no-locale",
                        "--no-sync",
                        "--pgdata=" + server.data),
                server.data);
        Path access = server.data.resolve("pg_hba.conf");
        Files.writeString(
                access, "host all " + SECRET_ROLE + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(access));
        server.restart();
        return server;
    }

    /**
     * Starts a copy of this server that is a standby: it can be read, but not written. This server must be stopped.
     *
     * @return the standby
     */
    public PostgresServer standby() {
        return standby(Map.of());
    }

    /**
     * Starts a copy of this server that follows it, under a name for {@code synchronous_standby_names}. This server is
     * stopped for that and runs again afterwards.
     *
     * @param name the name of the standby
     * @return the standby
     */
    public PostgresServer replica(String name) {
        stop();
        PostgresServer replica = standby(Map.of(
                "primary_conninfo",
                "host=127.0.0.1 port=" + port + " user=postgres application_name=" + name,
                "wal_retrieve_retry_interval",
                "100ms"));
        restart();
        return replica;
    }

    private PostgresServer standby(Map<String, String> settings) {
        try {
            Path copy = newDirectory(user);
            FileUtils.copyDirectory(data.toFile(), copy.toFile());
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
            Files.createFile(copy.resolve("standby.signal"));
            StringBuilder lines = new StringBuilder();
            settings.forEach((name, value) -> lines.append(line(name, value)));
            Files.writeString(copy.resolve(SETTINGS), lines, StandardOpenOption.APPEND);
            user.give(copy);
            PostgresServer standby = new PostgresServer(user, copy, Map.of());
            standby.restart();
            return standby;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Changes a setting of the running server.
     *
     * @param name the setting
     * @param value its value
     */
    public void set(String name, String value) {
        try {
            Files.writeString(data.resolve(SETTINGS), line(name, value), StandardOpenOption.APPEND);
            control("reload");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the file the last line of a setting counts. */
    private static String line(String name, String value) {
        return "\n" + name + " = '" + value + "'\n";
    }

    /**
     * Lets new connections use TLS, as the driver does by default where a server offers it.
     *
     * @param certificates what the server presents
     */
    public void offerTls(TlsCertificates certificates) {
        try {
            Path certificate = Files.copy(certificates.certificate(), data.resolve("server.crt"));
            Path key = Files.copy(certificates.key(), data.resolve("server.key"));
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            user.give(certificate);
            user.give(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set("ssl", "on");
    }

    /** Makes a standby the primary, and waits until it takes writes. */
    public void promote() {
        run("promote");
    }

    /** Freezes all processes of the server, as a machine that hangs does: connections stay open, nothing is answered. */
    public void freeze() {
        frozen = true;
        signal("-STOP");
    }

    /** Lets a frozen server go on. */
    public void thaw() {
        frozen = false;
        signal("-CONT");
    }

    /** The postmaster first: frozen, it starts no more processes. */
    private void signal(String signal) {
        try {
            String pid = Files.readAllLines(data.resolve(PID)).get(0).strip();
            user.run(List.of("kill", signal, pid), data);
            for (ProcessHandle child : ProcessHandle.of(Long.parseLong(pid))
                    .orElseThrow()
                    .descendants()
                    .toList()) {
                // It may have ended meanwhile. Waited for: until then it goes on answering.
                var unused = new ProcessBuilder("kill", signal, Long.toString(child.pid()))
                        .start()
                        .waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path newDirectory(PostgresUser user) throws IOException {
        Path directory = Files.createTempDirectory(user.directory(), "syncguard-postgres");
        user.give(directory);
        return directory;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Returns the JDBC URL of the superuser.
     *
     * @return the URL
     */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    /**
     * Returns the port.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return port;
    }

    /** Starts the server, after stopping it if it runs, and waits until it takes connections. */
    public void restart() {
        try {
            if (isRunning()) {
                control("stop", "-m", "fast");
            }
            control("start", "-l", data.resolve("server.log").toString(), "-o", String.join(" ", options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Offers TLS from now on, beside connections without it; restarts the server.
     *
     * @param certificates what the server shows
     */
    public void useTls(TlsCertificates certificates) {
        try {
            Files.copy(certificates.certificate(), data.resolve("server.crt"));
            Path key = Files.copy(certificates.key(), data.resolve("server.key"));
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            user.give(data);
            set("ssl", "on");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    /** Stops the server properly: sessions end, everything is written. */
    public void stop() {
        run("stop", "-m", "fast");
    }

    /** Stops the server as a crash would: nothing more is written, and the next start recovers. */
    public void crash() {
        run("stop", "-m", "immediate");
    }

    private void run(String... arguments) {
        try {
            control(arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isRunning() {
        return Files.exists(data.resolve(PID));
    }

    private void control(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(binaries.resolve("pg_ctl").toString(), "-w", "-t", "60"));
        command.add("--pgdata=" + data);
        command.addAll(List.of(arguments));
        user.run(command, data);
    }

    /** Ends the server and deletes its files. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (frozen) {
                thaw();
            }
            if (isRunning()) {
                control("stop", "-m", "immediate");
            }
            FileUtils.deleteDirectory(data.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (Thread.currentThread() != atExit) {
                Runtime.getRuntime().removeShutdownHook(atExit);
            }
        }
    }
}
