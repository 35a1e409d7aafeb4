package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExamplesTest {

    @Test
    void quickstart() {
        assertThat(Quickstart.run())
                .containsExactly("run 000000000000001", "acquire 000000000000002", "tryAcquire 000000000000003");
    }
}
