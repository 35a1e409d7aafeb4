package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.TlsCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Whom a connection to PostgreSQL trusts. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresTlsTest {

    private final TlsCertificates certificates = TlsCertificates.forHost("localhost");
    private final TlsCertificates others = TlsCertificates.forHost("localhost");
    private final PostgresServer server = PostgresServer.start(Map.of());

    PostgresTlsTest() throws Exception {
        server.useTls(certificates);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.url());
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(Backends.schema(new StoreSettings()));
        }
    }

    @AfterAll
    void close() {
        server.close();
    }

    private String url(String host, String parameters) {
        return "postgresql://postgres@" + host + ":" + server.port() + "/postgres?commandTimeout=20s" + parameters;
    }

    private static void use(String url) {
        try (LockBackend backend = Backends.open(new StoreAddress(url, null, new StoreSettings()))) {
            assertThat(backend.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
        }
    }

    private static String trusting(TlsCertificates trusted) {
        return "&tlsCa=" + encoded(trusted.certificate());
    }

    private static String encoded(Path file) {
        return file.toString().replace(" ", "%20");
    }

    private static void refused(String url) {
        LockException failure = catchThrowableOfType(LockException.class, () -> use(url));
        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure).hasMessageContaining("TLS with ").hasMessageContaining("certificate");
    }

    @Test
    @DisplayName("the certificate and the host name, the certificate, or nothing")
    void verified() {
        use(url("localhost", trusting(certificates)));
        refused(url("127.0.0.1", trusting(certificates)));
        use(url("127.0.0.1", trusting(certificates) + "&tlsVerify=ca"));
        refused(url("localhost", trusting(others)));
        use(url("localhost", trusting(others) + "&tlsVerify=none"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sslmode=disable",
                "sslmode=allow",
                "sslmode=prefer",
                "sslmode=require",
                "ssl=false",
                "sslfactory=org.postgresql.ssl.NonValidatingFactory"
            })
    @DisplayName("a CA that is named counts beside whatever else the URL says of TLS")
    void neverIgnored(String parameter) {
        refused(url("localhost", "&" + parameter + trusting(others)));
        use(url("localhost", "&" + parameter + trusting(certificates)));
        refused(url("localhost", "&" + parameter + "&tlsVerify=full&sslrootcert=" + encoded(others.certificate())));
    }

    @Test
    @DisplayName("without a CA those of the JDK are trusted, not a file of the driver that does not exist")
    void trustOfJdk() {
        for (String what : new String[] {"full", "ca"}) {
            LockException failure =
                    catchThrowableOfType(LockException.class, () -> use(url("localhost", "&tlsVerify=" + what)));
            assertThat(failure).rootCause().hasMessageContaining("certification path");
        }
    }

    @Test
    @DisplayName("a file without certificates is a wrong argument")
    void noCertificates(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("no.pem"), "nothing of the kind");
        String parameter = "tlsCa=" + encoded(file);
        for (String url : new String[] {url("localhost", "&" + parameter), "rediss://localhost:1?" + parameter}) {
            assertThat(catchThrowableOfType(LockException.class, () -> use(url)))
                    .hasMessageContaining("certificates (PEM)")
                    .extracting(LockException::code)
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
    }
}
