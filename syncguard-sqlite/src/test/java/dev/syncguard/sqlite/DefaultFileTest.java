package dev.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
    @DisplayName("this machine has a place for one, whether it was ever used or not")
    void here() {
        // Not endsWith: that asks the file system, and the file need not exist.
        assertThat(SqliteLockBackend.defaultFile()).isAbsolute().endsWithRaw(Path.of("syncguard", "locks.db"));
    }
}
