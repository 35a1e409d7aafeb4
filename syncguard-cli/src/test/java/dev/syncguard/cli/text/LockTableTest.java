package dev.syncguard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockTableTest {

    private static StoredLock lock(String key, long acquiredAtMs, long expiresAtMs) {
        return new StoredLock(key, LockId.parse("A".repeat(22)), acquiredAtMs, expiresAtMs, new Fence(7));
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 60, 79, 80, 101, 120, 200})
    @DisplayName("keys are visible at any width, under their heading, and what was cut is marked")
    void keys(int width) {
        LockTable table = LockTable.withBars(true, width);
        String row = table.row(lock("nightly-report-".repeat(20), 0, 60_000), 1000, "#".repeat(table.bar()));
        assertThat(row).hasSize(width).endsWith("…").contains("nightly-");
        assertThat(table.heading()).hasSizeLessThanOrEqualTo(width);
        assertThat(row.indexOf("nightly-")).isEqualTo(table.heading().lastIndexOf("KEY"));
    }

    @Test
    @DisplayName("ideographs take two columns, and a cut never splits one")
    void wide() {
        assertThat(Columns.fit("漢字漢字", 8)).isEqualTo("漢字漢字");
        assertThat(Columns.fit("漢字漢字", 7)).isEqualTo("漢字漢…");
        assertThat(Columns.fit("漢字漢字", 6)).isEqualTo("漢字…");
        assertThat(Columns.fit("😀😀", 3)).isEqualTo("😀…");
    }

    @Test
    @DisplayName("the bar is of the time from grant to expiry; after an extension, of the most that was left")
    void share() {
        TimeBars bars = new TimeBars();
        assertThat(bars.share(lock("k", 0, 10_000), 9_000)).isEqualTo(0.1);
        assertThat(bars.share(lock("k", 0, 10_000), 9_500)).isEqualTo(0.05);
        assertThat(bars.share(lock("k", 0, 19_600), 9_600)).isEqualTo(1.0);
        assertThat(bars.share(lock("k", 0, 19_600), 14_600)).isEqualTo(0.5);
    }
}
