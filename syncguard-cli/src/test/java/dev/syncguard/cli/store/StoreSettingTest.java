package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StoreSettingTest {

    private static LockException refused(String url, StoreSettings settings) {
        LockException failure =
                catchThrowableOfType(LockException.class, () -> Backends.open(new StoreAddress(url, null, settings)));
        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasNoCause();
        return failure;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sqlite:/no/where?x=s3cret | has fenceMode, commandTimeout",
                "sqlite:/no/where?s3cret | has fenceMode, commandTimeout",
                "firestore://p?x=s3cret | lockTable, counterTable, mixedFleet",
                "memory:?x=s3cret | has none",
                "redis://h?x=s3cret | replicaAcks, tlsCa, tlsVerify, and of the driver clientName",
                "redis-sentinel://h?x=s3cret#m | replicaAcks, tlsCa, tlsVerify, and of the driver clientName",
                "postgresql://h/d?x=s3cret | assumeNoOtherLibrary, tlsCa, tlsVerify, and those of the JDBC driver"
            })
    @DisplayName("an unknown parameter is refused with the list of that store, and not repeated")
    void unknown(String url, String list) {
        assertThat(refused(url, new StoreSettings()))
                .hasMessageContaining("unknown parameter")
                .hasMessageContaining(list)
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fenceMode=s3cret | counter or time-floored",
                "commandTimeout=9ms | from 10ms to 10m",
                "commandTimeout=601s | from 10ms to 10m",
                "commandTimeout=s3cret | from 10ms to 10m",
                "replicaAcks=-1 | from 0 to 100",
                "replicaAcks=101 | from 0 to 100",
                "tlsCa=/no/such/s3cret | a file of certificates (PEM) that can be read",
                "tlsVerify=s3cret | full, ca or none",
                "tlsVerify=full | use rediss://"
            })
    @DisplayName("a value out of range is refused with the range, as a parameter and as an option")
    void range(String parameter, String range) {
        assertThat(refused("redis://127.0.0.1:1?" + parameter, new StoreSettings()))
                .hasMessageContaining(range)
                .hasMessageNotContaining("s3cret");
        StoreSettings options = new StoreSettings();
        String[] parts = parameter.split("=", 2);
        Set.of(StoreSetting.values()).stream()
                .filter(setting -> setting.parameter().equals(parts[0]))
                .forEach(setting -> options.put(setting, parts[1]));
        assertThat(refused("redis://127.0.0.1:1", options)).hasMessageContaining(range);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a setting of another store is refused, and the message says which stores have it")
    void otherStore(StoreSetting setting) {
        StoreSettings options = new StoreSettings();
        options.put(setting, "s3cret");
        for (StoreKind kind : EnumSet.allOf(StoreKind.class)) {
            if (!setting.has(kind)) {
                String rest = kind == StoreKind.SQLITE ? ":/no/where" : "://h/d";
                assertThat(refused(kind + rest, options))
                        .hasMessageContaining("--" + setting.entry())
                        .hasMessageContaining("that is for ")
                        .hasMessageNotContaining("s3cret");
            }
        }
    }

    @Test
    @DisplayName("an option wins over the parameter of the URL")
    void precedence() {
        StoreSettings options = new StoreSettings();
        options.put(StoreSetting.PREFIX, "mine");
        StoreAddress address = UrlParameters.read(
                new StoreAddress("redis://h/0?prefix=a%3Ab&fenceMode=counter&db=1", null, options), StoreKind.REDIS);
        assertThat(address.url()).isEqualTo("redis://h/0?db=1");
        assertThat(address.settings().get(StoreSetting.PREFIX, "")).isEqualTo("mine");
        assertThat(address.settings().get(StoreSetting.FENCE_MODE, "")).isEqualTo("counter");
    }
}
