package dev.syncguard.faults.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.faults.checker.Judgement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The report of a run")
class ReportTest {

    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\u202e";
    private static final List<Path> BROWSERS = Stream.of("chromium", "chromium-browser", "google-chrome")
            .map(name -> Path.of("/usr/bin", name))
            .toList();

    @TempDir
    private Path directory;

    /** c1 pauses past its lease, c2 takes over, and the late write of c1 is refused; the checker found an overlap. */
    @BeforeEach
    void round() throws IOException {
        Path round = Files.createDirectories(directory.resolve("round-001"));
        Path history = Files.createDirectories(round.resolve("history"));
        Files.writeString(history.resolve("c1.1.jsonl"), """
                {"t":1000000000,"p":"c1.1","e":"start","wall":1}
                {"t":1001000000,"p":"c1.1","n":1,"e":"invoke","f":"acquire","key":"hot","ttl":500,"how":"blocking"}
                {"t":1002000000,"p":"c1.1","n":1,"e":"ok","f":"acquire","key":"hot","id":"L1","fence":"000000000000007","until":1500000000,"ttl":500}
                {"t":1700000000,"p":"c1.1","e":"lost","key":"hot","id":"L1","reason":"EXPIRED"}
                """);
        Files.writeString(history.resolve("c2.1.jsonl"), """
                {"t":1600000000,"p":"c2.1","n":1,"e":"invoke","f":"acquire","key":"hot","ttl":500,"how":"async"}
                {"t":1601000000,"p":"c2.1","n":1,"e":"ok","f":"acquire","key":"hot","id":"L2","fence":"000000000000008","until":2000000000,"ttl":500}
                {"t":1650000000,"p":"c2.1","n":2,"e":"invoke","f":"release","key":"hot","id":"L2"}
                {"t":1651000000,"p":"c2.1","n":2,"e":"ok","f":"release","key":"hot","id":"L2","released":true}
                {"t":1660000000,"p":"c2.1","n":3,"e":"invoke","f":"acquire","key":"KEY","ttl":500,"how":"async"}
                {"t":1661000000,"p":"c2.1","n":3,"e":"ok","f":"acquire","key":"KEY","id":"L3","fence":"000000000000001","until":2100000000,"ttl":500}
                """.replace("KEY", HOSTILE));
        Files.writeString(history.resolve("register.jsonl"), """
                {"t":1610000000,"p":"register","e":"write","key":"hot","fence":"000000000000008","by":"c2.1","value":"b","accepted":true}
                {"t":1620000000,"p":"register","e":"write","key":"hot","fence":"000000000000007","by":"c1.1","value":"a","accepted":false}
                """);
        Files.writeString(history.resolve("nemesis.jsonl"), """
                {"t":1100000000,"p":"nemesis","e":"fault","kind":"client-stop","phase":"begin","target":"c1","excuses":[],"key":"","note":""}
                {"t":1615000000,"p":"nemesis","e":"fault","kind":"client-stop","phase":"end","target":"c1"}
                """);
        writeResult(round, true);
        writeResult(directory, false);
    }

    private static void writeResult(Path to, boolean events) throws IOException {
        Map<String, Object> violation = Map.of(
                "invariant",
                "I2",
                "key",
                "hot",
                "from",
                1_601_000_000L,
                "to",
                1_700_000_000L,
                "what",
                "two holders",
                "events",
                events ? List.of("acquired " + HOSTILE) : List.of());
        Map<String, Object> coverage = Map.of(
                "operations",
                1234,
                "grants",
                3,
                "handOvers",
                1,
                "refused",
                1,
                "unknown",
                0,
                "faults",
                Map.of("client-stop", 1));
        Map<String, Object> result = Map.of(
                "verdict",
                "RED",
                "store",
                "redis",
                "gate",
                "COMMIT",
                "seed",
                42,
                "fenceMode",
                "COUNTER",
                "coverage",
                coverage,
                "missing",
                List.of("faults: 1 of 40"),
                "violations",
                List.of(violation),
                "broken",
                List.of(),
                "promises",
                Judgement.promises());
        new ObjectMapper().writeValue(to.resolve("result.json").toFile(), result);
    }

    private Path roundPage() {
        Report.write(directory);
        return directory.resolve("round-001").resolve(Report.FILE);
    }

    private static JsonNode dataOf(Path page) throws IOException {
        Matcher data = Pattern.compile("<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL)
                .matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        return new ObjectMapper().readTree(data.group(1));
    }

    @Test
    @DisplayName("has every grant with its fence and end, every refused access and every fault")
    void timeline() throws IOException {
        JsonNode timeline = dataOf(roundPage()).get("timeline");

        JsonNode hot = timeline.get("keys").get(0);
        assertThat(hot.get("key").asText()).isEqualTo("hot");
        assertThat(hot.get("holds")).hasToString("[[0,7,2000,500000,1],[1,8,601000,650000,0]]");
        assertThat(hot.get("accesses")).hasToString("[[1,8,610000,1,1],[0,7,620000,1,0]]");
        assertThat(timeline.get("processes")).hasToString("[\"c1.1\",\"c2.1\"]");
        assertThat(timeline.get("faults").get(0).get("to").asLong()).isEqualTo(615_000);
    }

    @Test
    @DisplayName("needs nothing from outside, and no key ends an element of the page")
    void selfContained() throws IOException {
        String page = Files.readString(roundPage());

        assertThat(page)
                .doesNotContain("<img")
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("src=\"");
        assertThat(page).contains("default-src 'none'");
        assertThat(dataOf(roundPage())
                        .get("timeline")
                        .get("keys")
                        .get(1)
                        .get("key")
                        .asText())
                .isEqualTo(HOSTILE);
    }

    @Test
    @DisplayName("of a whole run lists its rounds, and links to their pages")
    void rounds() throws IOException {
        JsonNode rounds = dataOf(Report.write(directory)).get("rounds");

        assertThat(rounds).hasSize(1);
        assertThat(rounds.get(0).get("name").asText()).isEqualTo("round-001");
        assertThat(directory.resolve("round-001/report.html")).exists();
    }

    @Test
    @DisplayName("says which directory has no result")
    void noResult() {
        assertThatThrownBy(() -> Report.write(directory.resolve("round-001/history")))
                .hasMessageContaining("no result.json in ");
    }

    @Test
    @DisplayName("works in a browser: verdict, promises, violations, and the timeline at a violation")
    void inBrowser() throws Exception {
        Path browser = BROWSERS.stream().filter(Files::isExecutable).findFirst().orElse(null);
        assumeTrue(browser != null, "no Chromium on this machine: the page was not opened in a browser");

        String round = domOf(browser, roundPage() + "#v0");

        assertThat(round)
                .contains("RED</span>", "1,234</b>", "believed leases of one key never overlap", "1 ✗", "none ✓")
                .contains("I2 hot: two holders", "client-stop × 1", "\\u{202e}")
                .contains("0.502 s to 0.799 s, 1 of 2 keys")
                .doesNotContain("<img");
        assertThat(domOf(browser, directory.resolve(Report.FILE).toString()))
                .contains("href=\"round-001/report.html\"", "not enough: faults: 1 of 40");
    }

    private String domOf(Path browser, String page) throws Exception {
        Path out = directory.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + directory.resolve("browser"),
                        "--dump-dom",
                        "file://" + page)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
