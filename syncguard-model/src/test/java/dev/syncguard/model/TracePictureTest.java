package dev.syncguard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The picture in docs/model")
class TracePictureTest {

    private static final Path PICTURE = Configuration.MODELS.resolve("two-holders.svg");

    @Test
    @DisplayName("is what TLC finds when the deadline is not lowered before a shorter extension leaves")
    void pictureIsTheTraceOfTlc() throws Exception {
        Mutation mutation = Mutation.ALL.stream()
                .filter(each -> each.name().equals("E1"))
                .findFirst()
                .orElseThrow();

        Verdict verdict = Tlc.check(mutation.mutated(), 1, 10);
        String picture = TracePicture.of("Without decision E1, two holders", verdict.trace());

        if (Boolean.getBoolean("syncguard.model.draw")) {
            Files.writeString(PICTURE, picture);
        }
        assertThat(verdict.trace()).isNotEmpty();
        assertThat(PICTURE).content().isEqualTo(picture);
    }
}
