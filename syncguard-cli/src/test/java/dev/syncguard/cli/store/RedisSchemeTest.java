package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSchemeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://s3cret@127.0.0.1:1",
                "rediss://s3cret@127.0.0.1:1/0",
                "redis-sentinel://s3cret@127.0.0.1:1#primary",
                "redis-cluster://s3cret@127.0.0.1:1,127.0.0.1:2"
            })
    @DisplayName("what the driver would take for a password and everything here for a user is refused")
    void userWithoutPassword(String url) {
        LockException failure = catchThrowableOfType(
                LockException.class, () -> Backends.open(new StoreAddress(url, null, new StoreSettings())));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining("no password").hasMessageNotContaining("s3cret");
    }
}
