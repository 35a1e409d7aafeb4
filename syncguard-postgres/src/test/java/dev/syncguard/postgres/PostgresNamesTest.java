package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PostgresNamesTest {

    static Stream<String> refused() {
        return Stream.of(
                "",
                " ",
                "a b",
                "a\"b",
                "a'b",
                "a;b",
                "a.b",
                "1a",
                "Locks",
                "schlöss",
                "a-b",
                "a\0b",
                "x".repeat(64),
                null);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesWhatIsNotAllowed(String name) {
        assertThat(failure(() -> new PostgresNames(name, "a", "b")).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure(() -> new PostgresNames("s", name, "b")).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure(() -> new PostgresNames("s", "a", name)).code()).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void refusesOneTableForBoth() {
        assertThat(failure(() -> new PostgresNames("s", "a", "a"))).hasMessageContaining("a table each");
        assertThat(failure(() -> new PostgresNames("s", "locks", "LOCKS")).code())
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void refusesSchemasOfTheServer() {
        assertThat(failure(() -> PostgresNames.defaults().inSchema("pg_temp")).code())
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void quotesAndQualifies() {
        PostgresNames names = new PostgresNames("s", "select", "x".repeat(63));

        assertThat(names.quotedLocks()).isEqualTo("\"s\".\"select\"");
        assertThat(names.quotedCounters()).isEqualTo("\"s\".\"" + "x".repeat(63) + "\"");
    }

    private static LockException failure(Runnable action) {
        return catchThrowableOfType(LockException.class, action::run);
    }
}
