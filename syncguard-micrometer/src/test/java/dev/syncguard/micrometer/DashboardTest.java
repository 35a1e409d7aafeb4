package dev.syncguard.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.telemetry.TelemetryLockBackend;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The dashboard and the alert rules ask for what a Prometheus registry really shows. */
class DashboardTest {

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(syncguard_\\w+)(?:\\{(.*)})? ");
    private static final Pattern SELECTOR = Pattern.compile("(syncguard_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=~?\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: (?:>-\\R((?: {10}.*\\R)+)|(.*))");
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, Set<String>> samples = scrape();
    private final JsonNode dashboard = new ObjectMapper().readTree(Files.readString(Path.of("grafana/dashboard.json")));
    private final String alerts = Files.readString(Path.of("prometheus/alerts.yml"));

    DashboardTest() throws IOException {}

    @Test
    @DisplayName("every query of the dashboard names meters and labels that exist")
    void queries() {
        List<String> queries = dashboard.findValuesAsText("expr");
        assertThat(queries).hasSizeGreaterThan(20).allSatisfy(this::exists);
        assertThat(dashboard.findValuesAsText("definition")).isNotEmpty().allSatisfy(this::exists);
    }

    @Test
    @DisplayName("every alert's query does, too")
    void alerts() {
        List<String> queries = new ArrayList<>();
        Matcher expression = EXPRESSION.matcher(alerts);
        while (expression.find()) {
            queries.add(expression.group(1) == null ? expression.group(2) : expression.group(1));
        }
        assertThat(queries).hasSize(alerts.split("- alert:", -1).length - 1).allSatisfy(this::exists);
    }

    private void exists(String query) {
        Set<String> labels = new TreeSet<>(OF_PROMETHEUS);
        Matcher selector = SELECTOR.matcher(query);
        boolean found = false;
        while (selector.find()) {
            found = true;
            assertThat(samples).containsKey(selector.group(1));
            Set<String> own = samples.getOrDefault(selector.group(1), Set.of());
            labels.addAll(own);
            Set<String> allowed = new TreeSet<>(own);
            allowed.addAll(OF_PROMETHEUS);
            assertThat(allowed).containsAll(labels(selector.group(2)));
        }
        assertThat(found).as(query).isTrue();
        Matcher grouped = GROUPED.matcher(query);
        while (grouped.find()) {
            assertThat(labels).contains(grouped.group(1).split(", *"));
        }
    }

    private static Set<String> labels(String selector) {
        Set<String> labels = new TreeSet<>();
        Matcher label = LABEL.matcher(selector == null ? "" : selector);
        while (label.find()) {
            labels.add(label.group(1));
        }
        return labels;
    }

    @Test
    @DisplayName("every meter is on the dashboard")
    void allShown() {
        String queries = String.join("\n", dashboard.findValuesAsText("expr"));
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName().replace('.', '_'))
                .allSatisfy(name -> assertThat(queries).contains(name));
    }

    @Test
    @DisplayName("panels have names, ids and places of their own")
    void panels() {
        JsonNode panels = dashboard.get("panels");
        Set<String> places = new TreeSet<>();
        Set<Integer> ids = new TreeSet<>();
        Set<String> titles = new TreeSet<>();
        panels.forEach(panel -> {
            ids.add(panel.get("id").asInt());
            titles.add(panel.get("title").asText());
            places.add(panel.at("/gridPos/x") + "," + panel.at("/gridPos/y"));
        });
        assertThat(List.of(ids.size(), titles.size(), places.size())).containsOnly(panels.size());
    }

    /** The names that are exported after every meter has had its say, each with its labels. */
    private Map<String, Set<String>> scrape() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("syncguard.lease.margin") // as the README says
                        ? DistributionStatisticConfig.builder()
                                .serviceLevelObjectives(0.1, 0.25, 0.5)
                                .build()
                                .merge(config)
                        : config;
            }
        });
        LockSimulator simulator = new LockSimulator();
        try (SyncGuard guard = simulator.newGuard(
                        backend -> MeteredLockBackend.builder(backend, registry)
                                .fences(1)
                                .build(),
                        settings -> settings);
                TelemetryLockBackend telemetry = TelemetryLockBackend.of(simulator.newBackend(), event -> {})) {
            new GuardMeters(guard, Tags.empty()).withEventsOf(telemetry).bindTo(registry);
            guard.acquire("forgotten", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
            assertThat(guard.tryAcquire("forgotten", Duration.ofSeconds(5))).isNotNull();
            guard.acquire("renewed", LockOptions.defaults().autoExtend());
            simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
            simulator.advance(Duration.ofMinutes(1));
            guard.acquire("a").close();

            Map<String, Set<String>> found = new HashMap<>();
            Matcher sample = SAMPLE.matcher(registry.scrape());
            while (sample.find()) {
                found.computeIfAbsent(sample.group(1), name -> new TreeSet<>()).addAll(labels(sample.group(2)));
            }
            return found;
        }
    }
}
