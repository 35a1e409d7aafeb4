package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {

    private static final StoreSettings NONE = new StoreSettings();

    @ParameterizedTest
    @CsvSource({
        "postgresql://h/d, jdbc:postgresql://h/d",
        "POSTGRES://u:p%23@h:5433/d, jdbc:postgresql://h:5433/d",
        "postgresql://u@[::1]:5433/d?ssl=true, jdbc:postgresql://[::1]:5433/d?ssl=true",
        "'postgresql://a:1,b:2/d', 'jdbc:postgresql://a:1,b:2/d'",
        "postgresql://h/a+b?password=x+y, jdbc:postgresql://h/a%2Bb?password=x%2By",
        "jdbc:postgresql://h/d?password=x+y, jdbc:postgresql://h/d?password=x+y",
        "jdbc:postgresql:d?password=x%26y, jdbc:postgresql:d?password=x%26y",
        "postgresql://h/d?assumeNoOtherLibrary=true, jdbc:postgresql://h/d",
        "postgresql://h/d?ssl=b&assumeNoOtherLibrary=true&sslmode=d, jdbc:postgresql://h/d?ssl=b&sslmode=d"
    })
    @DisplayName("the driver gets the URL without user, password and our own parameters")
    void read(String url, String jdbcUrl) {
        StoreAddress address = UrlParameters.read(new StoreAddress(url, null, NONE), StoreKind.POSTGRESQL);
        assertThat(PostgresUrl.forDriver(address)).isEqualTo(jdbcUrl);
        assertThat(address.settings().isTrue(StoreSetting.ASSUME_NO_OTHER_LIBRARY))
                .isEqualTo(url.contains("assumeNoOtherLibrary"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://u:s3cret%zz@h/d",
                "postgresql://u:s3cret#x@h/d",
                "postgresql://u:12#s3cret@h/d",
                "postgresql://u:s3cret?x@h/d",
                "postgresql://u:12?s3cret@h/d",
                "postgresql://u:s3cret/x@h/d",
                "postgresql://u:12/s3cret@h/d",
                "postgresql://u:s3cret@x@h/d",
                "postgresql://u:s3cret x@h/d",
                "postgresql://h/d?password=s3cret%z",
                "postgresql://h/d?password=s3cret#",
                "postgresql://h:s3cret/d",
                "postgresql://u:s3cret@h",
                "postgresql://u:s3cret@h:99999/d",
                "postgresql://h/d?assumeNoOtherLibrary=s3cret",
                "postgresql://h/d?s3cret=x",
                "postgresql://h/d?lockTable=s3cret%zz",
                "jdbc:postgresql://u:s3cret%zz@h/d",
                "jdbc:mysql://u:s3cret@h/d"
            })
    @DisplayName("a URL that can be read in two ways is refused, and no part of a password is shown")
    void refused(String url) {
        LockException failure =
                catchThrowableOfType(LockException.class, () -> Backends.open(new StoreAddress(url, null, NONE)));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageNotContaining("s3cret").hasNoCause();
    }
}
