package dev.syncguard.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command inherits. */
class CommandEnvironmentTest {

    @ParameterizedTest
    @CsvSource({
        "redis://:pw@host:6379/0, redis://@host:6379/0",
        "redis-sentinel://u:p:w@a:1@b:2#main, redis-sentinel://u@b:2#main",
        "postgresql://u:p/w@host/db?sslmode=require, postgresql://u@host/db?sslmode=require",
        "jdbc:postgresql://host/db?user=u&password=pw&sslPassword=pw&ssl=true,"
                + " jdbc:postgresql://host/db?user=u&password=&sslPassword=&ssl=true",
        "redis://user@host:6379/0, redis://user@host:6379/0",
        "'redis-cluster://a:1,b:2', 'redis-cluster://a:1,b:2'",
        "sqlite:/a:b@c, sqlite:/a:b@c",
        "firestore://project, firestore://project"
    })
    @DisplayName("the URL of the store is inherited without its password")
    void backend(String url, String inherited) {
        assertThat(CommandEnvironment.withoutPassword(url)).isEqualTo(inherited);
    }
}
