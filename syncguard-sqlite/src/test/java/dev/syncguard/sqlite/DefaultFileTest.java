package dev.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the file is if nobody says so. */
class DefaultFileTest {

    private static Path file(String system, Map<String, String> environment) {
        return DefaultFile.of(system, "/home/ada", environment::get);
    }

    @Test
    @DisplayName("on Linux it is in the user's state folder")
    void linux() {
        assertThat(file("Linux", Map.of())).isEqualTo(Path.of("/home/ada/.local/state/syncguard/locks.db"));
        assertThat(file("Linux", Map.of("XDG_STATE_HOME", "/state"))).isEqualTo(Path.of("/state/syncguard/locks.db"));
    }

    @Test
    @DisplayName("a relative XDG_STATE_HOME is ignored, as its specification says")
    void relative() {
        assertThat(file("Linux", Map.of("XDG_STATE_HOME", "state")))
                .isEqualTo(Path.of("/home/ada/.local/state/syncguard/locks.db"));
        assertThat(file("Linux", Map.of("XDG_STATE_HOME", "")))
                .isEqualTo(Path.of("/home/ada/.local/state/syncguard/locks.db"));
    }

    @Test
    @DisplayName("macOS and Windows have folders of their own")
    void others() {
        assertThat(file("Mac OS X", Map.of("XDG_STATE_HOME", "/state")))
                .isEqualTo(Path.of("/home/ada/Library/Application Support/syncguard/locks.db"));
        assertThat(file("Windows 11", Map.of("LOCALAPPDATA", "/local")))
                .isEqualTo(Path.of("/local/syncguard/locks.db"));
        assertThat(file("Windows 11", Map.of())).isEqualTo(Path.of("/home/ada/AppData/Local/syncguard/locks.db"));
    }

    @Test
    @DisplayName("HOME comes before the user database, which may not know the user of a container")
    void home() {
        assertThat(DefaultFile.of("Linux", "?", Map.of("HOME", "/srv/app")::get))
                .isEqualTo(Path.of("/srv/app/.local/state/syncguard/locks.db"));
        assertThat(DefaultFile.of("Mac OS X", "/home/ada", Map.of("HOME", "/srv/app")::get))
                .isEqualTo(Path.of("/srv/app/Library/Application Support/syncguard/locks.db"));
        assertThat(DefaultFile.of("Linux", "/home/ada", Map.of("HOME", "app")::get))
                .isEqualTo(Path.of("/home/ada/.local/state/syncguard/locks.db"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"?", "", ".", "ada", "a\u0000b"})
    @DisplayName("without any home there is no file, least of all one in the working directory")
    void homeless(String userHome) {
        for (String system : List.of("Linux", "Mac OS X", "Windows 11")) {
            assertThatThrownBy(() -> DefaultFile.of(
                            system, userHome, Map.of("HOME", "", "XDG_STATE_HOME", "state", "LOCALAPPDATA", "l")::get))
                    .isInstanceOfSatisfying(LockException.class, failure -> {
                        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
                        assertThat(failure).hasMessageContaining("name a file, or set ");
                    });
        }
    }

    @Test
    @DisplayName("this machine has a place for one, whether it was ever used or not")
    void here() {
        // Not endsWith: that asks the file system, and the file need not exist.
        assertThat(SqliteLockBackend.defaultFile()).isAbsolute().endsWithRaw(Path.of("syncguard", "locks.db"));
    }
}
