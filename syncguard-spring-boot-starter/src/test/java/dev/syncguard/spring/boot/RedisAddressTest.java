package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisAddressTest {

    @Test
    @DisplayName("one server: address, database, user, TLS and client name")
    void standalone() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis.example.org", 6380);
        server.setDatabase(2);
        server.setUsername("locks");
        server.setPassword(RedisPassword.of("secret"));
        RedisURI uri = RedisAddress.of(new LettuceConnectionFactory(
                server,
                LettuceClientConfiguration.builder()
                        .clientName("billing")
                        .useSsl()
                        .disablePeerVerification()
                        .build()));

        assertThat(uri.getHost()).isEqualTo("redis.example.org");
        assertThat(uri.getPort()).isEqualTo(6380);
        assertThat(uri.getDatabase()).isEqualTo(2);
        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.isVerifyPeer()).isFalse();
        assertThat(uri.getClientName()).isEqualTo("billing");
        assertCredentials(uri, "locks", "secret");
    }

    @Test
    @DisplayName("a socket")
    void socket() {
        RedisURI uri = RedisAddress.of(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock")));

        assertThat(uri.getSocket()).isEqualTo("/run/redis.sock");
    }

    @Test
    @DisplayName("sentinels with a password of their own")
    void sentinels() {
        RedisSentinelConfiguration sentinels =
                new RedisSentinelConfiguration("primary", Set.of("one:26379", "two:26380"));
        sentinels.setPassword("secret");
        sentinels.setSentinelPassword("watch");
        RedisURI uri = RedisAddress.of(new LettuceConnectionFactory(sentinels));

        assertThat(uri.getSentinelMasterId()).isEqualTo("primary");
        assertThat(uri.getSentinels()).extracting(RedisURI::getPort).containsExactlyInAnyOrder(26379, 26380);
        assertCredentials(uri, null, "secret");
        uri.getSentinels().forEach(sentinel -> assertCredentials(sentinel, null, "watch"));
    }

    @Test
    @DisplayName("nodes of a cluster")
    void cluster() {
        RedisClusterConfiguration nodes = new RedisClusterConfiguration(Set.of("one:7000", "two:7001"));
        nodes.setUsername("locks");
        nodes.setPassword(RedisPassword.of("secret"));

        assertThat(RedisAddress.ofCluster(new LettuceConnectionFactory(nodes)))
                .hasSize(2)
                .allSatisfy(node -> assertCredentials(node, "locks", "secret"));
    }

    private static void assertCredentials(RedisURI uri, String user, String password) {
        var credentials = uri.getCredentialsProvider().resolveCredentials().block();
        assertThat(credentials.getUsername()).isEqualTo(user);
        assertThat(String.valueOf(credentials.getPassword())).isEqualTo(password);
    }
}
