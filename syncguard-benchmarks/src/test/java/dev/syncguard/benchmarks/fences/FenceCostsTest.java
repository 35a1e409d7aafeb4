package dev.syncguard.benchmarks.fences;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs everything for a moment, so that it does not rot. */
class FenceCostsTest {

    @Test
    void runs() throws Exception {
        assertThat(FenceCosts.tables(1, 20))
                .filteredOn(line -> line.startsWith("| ") && !line.startsWith("| write"))
                .hasSize(2 * 2 + 2 * 2 + 2 * 4 + 2);
    }
}
