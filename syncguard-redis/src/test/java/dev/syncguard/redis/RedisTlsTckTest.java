package dev.syncguard.redis;

import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TlsCertificates;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import org.junit.jupiter.api.DisplayName;

/** Encrypted, with the host name verified. */
@DisplayName("the contract over TLS")
class RedisTlsTckTest extends RedisTck<RedisServer> {

    private static final TlsCertificates CERTIFICATES = TlsCertificates.forHost("localhost");

    RedisTlsTckTest() {
        super(RedisServer.startTls(CERTIFICATES), RedisTlsTckTest::unverified);
    }

    private static RedisURI unverified(RedisServer server) {
        return RedisURI.builder()
                .withHost("localhost")
                .withPort(server.port())
                .withSsl(true)
                .withVerifyPeer(false)
                .build();
    }

    @Override
    RedisLockBackendBuilder builder() {
        return RedisLockBackend.builder("rediss://localhost:" + servers().port())
                .tls(SslOptions.builder()
                        .trustManager(CERTIFICATES.certificate().toFile())
                        .build());
    }
}
