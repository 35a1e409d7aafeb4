package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.spring.Locked;
import dev.syncguard.testbed.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner.Mode;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** All auto-configuration that is there: web server, actuator, meters, Redis, transactions. */
class WholeApplicationTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static RedisServer server;
    private static ConfigurableApplicationContext context;
    private static SyncGuard guard;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        context = new SpringApplicationBuilder(App.class)
                .bannerMode(Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "server.port=0",
                        "spring.data.redis.port=" + server.port(),
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always",
                        "management.health.db.enabled=false",
                        "syncguard.backend=redis",
                        "syncguard.web.fence-paths=/accounts/*")
                .run();
        guard = context.getBean(SyncGuard.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        server.close();
    }

    @Test
    @DisplayName("the health of the store is part of the application's, with the doctor's findings")
    void health() throws Exception {
        String health = get("/actuator/health").body();

        assertThat(health).contains("\"syncguard\":{", "\"backend\":\"redis\"", "redis.persistence");
    }

    @Test
    @DisplayName("the endpoint lists locks by hash and looks one up by key, and shows neither key nor lock id")
    void locks() throws Exception {
        Lease lease = guard.acquire("order:4711");
        try {
            String all = get("/actuator/locks").body();
            assertThat(all)
                    .contains(lease.keyHash(), lease.fence().toString(), "\"complete\":true")
                    .doesNotContain("order:4711", lease.lockId().value());
            assertThat(get("/actuator/locks/order:4711").body()).contains(lease.keyHash());
            assertThat(get("/actuator/locks/other").statusCode()).isEqualTo(404);
        } finally {
            lease.close();
        }
    }

    @Test
    @DisplayName("meters are in the registry of the application, those of the guard, too")
    void meters() throws Exception {
        guard.acquire("metered").close();

        assertThat(get("/actuator/metrics/syncguard.acquires").statusCode()).isEqualTo(200);
        assertThat(get("/actuator/metrics/syncguard.releases.pending").statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("a stale fence of the request is a 409 with a problem, before any handler of all exceptions")
    void staleFence() throws Exception {
        HttpResponse<String> response = put("000000000000007");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.headers().firstValue("Syncguard-Fence")).contains("000000000000009");
        assertThat(response.body()).contains("urn:syncguard:problem:stale-fence");
    }

    @Test
    @DisplayName("a stale fence of another lock is no conflict of the request")
    void otherFence() throws Exception {
        assertThat(put("000000000000008").statusCode()).isEqualTo(500);
    }

    @Test
    @DisplayName("the configured paths demand a well-formed fence")
    void filter() throws Exception {
        assertThat(put(null).statusCode()).isEqualTo(428);
        assertThat(put("7").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("controllers can be locked")
    void lockedController() throws Exception {
        HttpResponse<String> response =
                CLIENT.send(request("/locked").PUT(BodyPublishers.noBody()).build(), BodyHandlers.ofString());

        assertThat(response.body()).isEqualTo("true");
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return CLIENT.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> put(String fence) throws Exception {
        HttpRequest.Builder request = request("/accounts/7").PUT(BodyPublishers.noBody());
        return CLIENT.send(
                fence == null
                        ? request.build()
                        : request.header("Syncguard-Fence", fence).build(),
                BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    @RestController
    static class Accounts {

        private final SyncGuard guard;

        Accounts(SyncGuard guard) {
            this.guard = guard;
        }

        @PutMapping("/accounts/7")
        public void write(@RequestHeader("Syncguard-Fence") String fence) {
            throw new StaleFenceException(LockKey.of("account:7"), new Fence(7), new Fence(9));
        }

        @PutMapping("/locked")
        @Locked(key = "'controller'")
        public boolean locked() {
            return guard.isLocked("controller");
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler(Exception.class)
        @ResponseStatus(org.springframework.http.HttpStatus.INTERNAL_SERVER_ERROR)
        public String anything() {
            return "sorry";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Accounts accounts(SyncGuard guard) {
            return new Accounts(guard);
        }

        @Bean
        Advice advice() {
            return new Advice();
        }
    }
}
