package dev.syncguard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.util.List;
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
        LockTable table = LockTable.withBars(true, width, false);
        String row = table.row(lock("nightly-report-".repeat(20), 0, 60_000), 1000, "#".repeat(table.bar()));
        assertThat(row).hasSize(width).endsWith("…").contains("nightly-");
        assertThat(table.heading()).hasSizeLessThanOrEqualTo(width);
        assertThat(row.indexOf("nightly-")).isEqualTo(table.heading().lastIndexOf("KEY"));
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 72, 79, 80, 101, 127, 200})
    @DisplayName("holders are shown where there is room, under their heading, harmless, and never at the cost of a key")
    void holders(int width) {
        StoredLock held = new StoredLock(
                "nightly-report-".repeat(20), LockId.parse("A".repeat(22)), 0, 60_000, new Fence(7), "host\u202E:1:me");
        for (LockTable table : List.of(
                LockTable.of(true, width),
                LockTable.of(false, width),
                LockTable.withBars(true, width, true),
                LockTable.withBars(false, width, true))) {
            String row = table.row(held, 1000, "#".repeat(table.bar()));
            int who = table.heading().indexOf("WHO");
            assertThat(row).hasSizeLessThanOrEqualTo(width).doesNotContain("\u202E");
            assertThat(row.indexOf("host")).isEqualTo(who);
            assertThat(table.heading()).hasSizeLessThanOrEqualTo(width);
            if (table.heading().contains("KEY") && !table.heading().endsWith("HASH")) {
                int key = table.heading().lastIndexOf("KEY");
                assertThat(key == 0 || row.indexOf("nightly-") == key).isTrue();
            }
        }
        assertThat(LockTable.of(true, 80).heading()).contains("WHO");
        assertThat(LockTable.of(false, 80).heading()).contains("WHO");
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
