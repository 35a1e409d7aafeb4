package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.testbed.RedisServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is connected here: what is refused is refused before a name is looked up. */
@DisplayName("a Redis URL")
class RedisUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://s3cret#x@host",
                "redis://s3cret?x@host",
                "redis://s3cret/x@host",
                "redis://user:s3#cret@host:6379/0",
                "redis://user:s3?cret@host",
                "redis://user:s3/cret@host",
                "redis://:s3@cret@host",
                "redis://user:s3%zzcret@host",
                "redis://user:s3%2@host",
                "redis://user:s3 cret@host",
                "redis://user:s3cret",
                "redis://s3cret#x",
                "redis://s3cret?x",
                "redis://host/s3cret",
                "redis://host?password=s3cret",
                "redis://host:s3cret/0",
                "redis://host:6379/0#s3cret",
                "redis-sentinel://user:s3#cret@host#primary",
                "redis-sentinel://host,s3cret?x@host#primary",
                "redis-socket://user:s3cret?x@/tmp/redis.sock",
                "REDIS://user:s3cret@host",
                "redis://user:s3cret@",
                "s3cret"
            })
    @DisplayName("that could be read in two ways is refused, and nothing of it is repeated")
    void refused(String url) {
        LockException failure = catchThrowableOfType(LockException.class, () -> RedisLockBackend.builder(url));

        assertThat(failure).as(url).isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining("%23").hasNoCause();
        assertThat(failure.getMessage()).doesNotContain("s3", "cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://localhost",
                "redis://localhost:6379/",
                "redis://user:p%23%3F%2F%40%25:x+y@redis.example.org:6379/15?timeout=2s&clientName=billing",
                "redis://:secret@127.0.0.1",
                "redis://secret@127.0.0.1",
                "rediss://[::1]:6380/0?verifyPeer=FULL",
                "redis+tls://h",
                "redis-sentinel://h1:26379,h2:26379,h3/0#primary",
                "redis-sentinel://secret@h1?sentinelMasterId=primary",
                "rediss-sentinel://h1#primary-1",
                "redis-socket:///tmp/redis.sock?database=1"
            })
    @DisplayName("of the documented forms is accepted")
    void accepted(String url) {
        assertThatCode(() -> RedisLockBackend.builder(url)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("with a percent-encoded password connects")
    void encodedPassword() {
        try (RedisServer server = RedisServer.start()) {
            server.command("CONFIG", "SET", "requirepass", "a#b?c/d@e%f");

            assertThatCode(() -> RedisLockBackend.connect("redis://:a%23b%3Fc%2Fd%40e%25f@127.0.0.1:" + server.port())
                            .close())
                    .doesNotThrowAnyException();
        }
    }
}
