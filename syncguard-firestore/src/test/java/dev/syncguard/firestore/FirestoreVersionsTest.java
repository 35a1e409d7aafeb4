package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FirestoreVersionsTest {

    @ParameterizedTest
    @ValueSource(strings = {"3.12.9", "3.0.0", "2.99.1", "1.35.0", "3.9", "3.12.1-SNAPSHOT"})
    @DisplayName("an older client is refused, with the version that is needed")
    void tooOld(String version) {
        LockException refused = catchThrowableOfType(LockException.class, () -> FirestoreVersions.check(version));

        assertThat(refused).as("the failure").isNotNull();
        assertThat(refused.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(refused).hasMessageContaining(version).hasMessageContaining(FirestoreVersions.OLDEST);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"3.13.0", "3.13", "3.47.0", "4.0.0", "3.100.0-rc1", "", "unknown", "3", "99999999999.1"})
    @DisplayName("a newer client, or one that does not say how old it is, is taken")
    void accepted(String version) {
        assertThatCode(() -> FirestoreVersions.check(version)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("the tests run with the client that the build meant, and every place names the same oldest one")
    void oneOldest() throws Exception {
        assertThat(FirestoreVersions.present())
                .isEqualTo(System.getProperty("firestore.expected", FirestoreVersions.present()));
        assertThat(Path.of("README.md")).content().contains("google-cloud-firestore " + FirestoreVersions.OLDEST);
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<firestore.oldest>" + FirestoreVersions.OLDEST + "</firestore.oldest>");
    }
}
