package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreAddressTest {

    private static final StoreSettings NONE = new StoreSettings();

    @ParameterizedTest
    @CsvSource({
        "redis://h:1/0,redis://:p%40%20w@h:1/0",
        "redis://u@h,redis://u:p%40%20w@h",
        "redis://u:own@h,redis://u:own@h",
        "redis-sentinel://a:1;b:2#m,redis-sentinel://:p%40%20w@a:1;b:2#m"
    })
    @DisplayName("the password of the environment goes into the URL, unless that has its own")
    void withPassword(String url, String expected) {
        assertThat(new StoreAddress(url, "p@ w", NONE).withPassword()).isEqualTo(expected);
    }

    @Test
    @DisplayName("user and password are decoded, and neither is shown")
    void parts() {
        StoreAddress address = new StoreAddress("postgresql://me%20:s%2Bx+y@h:1/d?ssl=true&x=a@b", null, NONE);
        assertThat(address.user()).isEqualTo("me ");
        assertThat(address.effectivePassword()).isEqualTo("s+x+y");
        assertThat(address.withoutUser()).isEqualTo("postgresql://h:1/d?ssl=true&x=a@b");
        assertThat(address.toString()).doesNotContain("s%2Bx").doesNotContain("me");
        assertThat(new StoreAddress("jdbc:postgresql:db?password=x", "env", NONE).toString())
                .doesNotContain("x");
    }
}
