package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExamplesTest {

    @Test
    void quickstart() {
        assertThat(Quickstart.run()).containsExactly("run 000000000000001", "acquire 000000000000002");
    }

    @Test
    @DisplayName("the demo refuses the stale writer")
    void demo() throws InterruptedException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();

        boolean asPromised = new Demo(new PrintStream(text, true, StandardCharsets.UTF_8), false).run();

        assertThat(asPromised).isTrue();
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("REFUSES")
                .contains("her lease is lost")
                .contains("The account holds 100")
                .doesNotContain("\u001b");
    }
}
