package dev.syncguard.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The library's advice in the words of the command. */
class CommandLineTextTest {

    @Test
    @DisplayName("what creates the tables names them, if they have other names than usual")
    void schema() {
        assertThat(CommandLineText.of("run PostgresSchema.create or schema.sql"))
                .isEqualTo("syncguard schema postgresql | psql");
        assertThat(CommandLineText.of(
                        "run PostgresSchema.create or schema.sql for \"app\".\"locks\" and \"app\".\"fences\""))
                .isEqualTo("syncguard schema postgresql --schema app --lock-table locks --counter-table fences | psql");
    }
}
