package dev.syncguard.redis;

import static dev.syncguard.LockException.Code.AUTH_FAILED;
import static dev.syncguard.LockException.Code.INTERNAL;
import static dev.syncguard.LockException.Code.INVALID_ARGUMENT;
import static dev.syncguard.LockException.Code.NETWORK_TIMEOUT;
import static dev.syncguard.LockException.Code.RATE_LIMITED;
import static dev.syncguard.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("failures of the driver")
class RedisErrorsTest {

    /** The failure, its code, and whether the outcome is unknown if the command was sent. */
    static Stream<Arguments> table() {
        return Stream.of(
                arguments(reply("NOAUTH Authentication required."), AUTH_FAILED, false),
                arguments(reply("WRONGPASS invalid username-password pair or user is disabled."), AUTH_FAILED, false),
                arguments(reply("NOPERM this user has no permissions to run the 'get' command"), AUTH_FAILED, false),
                arguments(
                        reply("ERR The user executing the script can't run this command or subcommand"),
                        AUTH_FAILED,
                        false),
                arguments(
                        new RedisLoadingException("LOADING Redis is loading the dataset in memory"),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(new RedisBusyException("BUSY Redis is busy running a script."), SERVICE_UNAVAILABLE, false),
                arguments(
                        new RedisReadOnlyException("READONLY You can't write against a read only replica."),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(reply("MASTERDOWN Link with MASTER is down"), SERVICE_UNAVAILABLE, false),
                arguments(reply("CLUSTERDOWN The cluster is down"), SERVICE_UNAVAILABLE, false),
                arguments(reply("TRYAGAIN Multiple keys request during rehashing of slot"), SERVICE_UNAVAILABLE, false),
                arguments(reply("MOVED 3999 127.0.0.1:6381"), SERVICE_UNAVAILABLE, false),
                arguments(reply("ASK 3999 127.0.0.1:6381"), SERVICE_UNAVAILABLE, false),
                arguments(
                        reply(
                                "ERR Script attempted to access a non local key in a cluster node script: f, on @user_script:9."),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(
                        reply(
                                "ERR Error running script (call to f_1): @user_script:9: @user_script: 9: Lua script attempted"
                                        + " to access a non local key in a cluster node"),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(
                        reply("ERR Script attempted to execute a command while the cluster is down script: f"),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(reply("NOREPLICAS Not enough good replicas to write."), SERVICE_UNAVAILABLE, false),
                arguments(
                        reply("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to"),
                        SERVICE_UNAVAILABLE,
                        false),
                arguments(reply("OOM command not allowed when used memory > 'maxmemory'."), RATE_LIMITED, false),
                arguments(
                        reply("ERR Error running script (call to f_1): @user_script:9: -OOM command not allowed"),
                        RATE_LIMITED,
                        false),
                arguments(reply("ERR max number of clients reached"), RATE_LIMITED, false),
                arguments(reply("WRONGTYPE Operation against a key holding the wrong kind of value"), INTERNAL, false),
                arguments(reply("ERR syntax error"), INVALID_ARGUMENT, false),
                arguments(reply("SYNTAX error"), INVALID_ARGUMENT, false),
                arguments(reply("ERR invalid DB index"), INVALID_ARGUMENT, false),
                arguments(reply("INVALID argument"), INVALID_ARGUMENT, false),
                arguments(reply("ERR DB index is out of range"), INVALID_ARGUMENT, false),
                arguments(reply("DENIED Redis is running in protected mode"), AUTH_FAILED, false),
                arguments(reply("ERR invalid password"), AUTH_FAILED, false),
                arguments(
                        reply("ERR Error running script (call to f_1): @user_script:9: invalid value"), INTERNAL, true),
                arguments(reply("ERR unknown command 'EVAL', with args beginning with: "), AUTH_FAILED, false),
                arguments(
                        reply("ERR Unknown Redis command called from script script: f, on @user_script:9."),
                        AUTH_FAILED,
                        false),
                arguments(
                        reply(
                                "ERR Error running script (call to f_1): @user_script:9: @user_script: 9: Unknown Redis command"
                                        + " called from Lua script"),
                        AUTH_FAILED,
                        false),
                arguments(reply("ERR something new"), INTERNAL, true),
                arguments(new RedisNoScriptException("NOSCRIPT No matching script."), INTERNAL, true),
                arguments(
                        new RedisCommandTimeoutException("Command timed out after 2 second(s)"), NETWORK_TIMEOUT, true),
                arguments(new TimeoutException(), NETWORK_TIMEOUT, true),
                arguments(new RedisException("Connection disconnected"), SERVICE_UNAVAILABLE, true),
                arguments(new RedisConnectionException("Unable to connect"), SERVICE_UNAVAILABLE, true),
                arguments(new IOException("Connection reset by peer"), SERVICE_UNAVAILABLE, true),
                arguments(new CancellationException(), SERVICE_UNAVAILABLE, true),
                arguments(new CompletionException(new TimeoutException()), NETWORK_TIMEOUT, true),
                arguments(new ExecutionException(reply("NOAUTH x")), AUTH_FAILED, false));
    }

    private static RedisCommandExecutionException reply(String text) {
        return new RedisCommandExecutionException(text);
    }

    @ParameterizedTest
    @MethodSource("table")
    @DisplayName("have the code of the table, and an unknown outcome only if the server may have done it")
    void translates(Throwable failure, Code code, boolean unknown) {
        LockException translated = RedisErrors.translate(failure, true);

        assertThat(translated.code()).isEqualTo(code);
        assertThat(translated.outcomeUnknown()).isEqualTo(unknown);
        assertThat(translated.getCause()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "ASK 3999 127.0.0.1:6381",
                "MOVED 3999 127.0.0.1:6381",
                "ERR Script attempted to access a non local key in a cluster node script: f, on @user_script:9."
            })
    @DisplayName("of a slot that moves are worth a repetition")
    void movingSlot(String text) {
        assertThat(RedisErrors.isMovingSlot(new ExecutionException(reply(text))))
                .isTrue();
        assertThat(RedisErrors.isMovingSlot(reply("CLUSTERDOWN The cluster is down")))
                .isFalse();
    }

    @Test
    @DisplayName("of a command that was never sent leave no doubt")
    void neverSent() {
        LockException translated =
                RedisErrors.translate(new RedisException("Currently not connected. Commands are rejected."), false);

        assertThat(translated.code()).isEqualTo(SERVICE_UNAVAILABLE);
        assertThat(translated.outcomeUnknown()).isFalse();
    }

    @Test
    @DisplayName("on connecting are a timeout if the server does not answer in time, and nothing has happened")
    void connectingTimesOut() {
        Throwable noAnswer = new RedisConnectionException("x", new ConnectTimeoutException("timed out"));
        Throwable noReply = new RedisConnectionException("x", new RedisCommandTimeoutException("timed out"));

        for (Throwable failure : new Throwable[] {noAnswer, noReply, new TimeoutException()}) {
            LockException translated = RedisErrors.cannotConnect(failure, "h:1", false);

            assertThat(translated.code()).isEqualTo(NETWORK_TIMEOUT);
            assertThat(translated.outcomeUnknown()).isFalse();
            assertThat(translated).hasMessageContaining("h:1");
        }
    }

    @Test
    @DisplayName("on connecting are a timeout if the connection was closed because nothing had come back in time")
    void connectingIsGivenUp() {
        Throwable closed =
                new RedisConnectionException("x", new RedisConnectionException("Connection closed prematurely"));
        Throwable unknown = new RedisConnectionException("x", new UnknownHostException("nowhere"));

        assertThat(RedisErrors.cannotConnect(closed, "h:1", true).code()).isEqualTo(NETWORK_TIMEOUT);
        assertThat(RedisErrors.cannotConnect(closed, "h:1", false).code()).isEqualTo(SERVICE_UNAVAILABLE);
        assertThat(RedisErrors.cannotConnect(unknown, "h:1", true).code()).isEqualTo(SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("show nothing of the arguments that a server repeats")
    void hidesArguments() {
        RedisCommandExecutionException reply =
                reply("ERR unknown command 'AUTH', with args beginning with: 'locks' 'secret' ");

        for (LockException failure : new LockException[] {
            RedisErrors.translate(new ExecutionException(reply), true),
            RedisErrors.cannotConnect(new RedisConnectionException("x", reply), "h:1", false)
        }) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));

            assertThat(failure.code()).isEqualTo(AUTH_FAILED);
            assertThat(trace.toString()).contains("unknown command 'AUTH'").doesNotContain("secret");
        }
    }

    @Test
    @DisplayName("on connecting say where and why")
    void connecting() {
        RedisConnectionException refused = new RedisConnectionException("x", new UnknownHostException("nowhere"));
        RedisConnectionException tls = new RedisConnectionException("x", new SSLHandshakeException("no name matching"));
        RedisConnectionException password = new RedisConnectionException("x", reply("WRONGPASS invalid"));

        assertThat(RedisErrors.cannotConnect(refused, "nowhere:6379", false))
                .hasMessageContaining("nowhere:6379")
                .hasMessageContaining("not known");
        assertThat(RedisErrors.cannotConnect(tls, "h:1", false)).hasMessageContaining("certificate");
        assertThat(RedisErrors.cannotConnect(password, "h:1", false).code()).isEqualTo(AUTH_FAILED);
    }

    @Test
    @DisplayName("of the nodes of a cluster stand in suppressed exceptions")
    void nodesOfCluster() {
        RedisConnectionException password = new RedisConnectionException(
                "node", reply("WRONGPASS invalid username-password pair or user is disabled."));
        RedisConnectionException closed =
                new RedisConnectionException("node", new RedisConnectionException("Connection closed prematurely"));

        assertThat(RedisErrors.cannotConnect(cluster(closed, password), "h:1", false)
                        .code())
                .isEqualTo(AUTH_FAILED);
        assertThat(RedisErrors.isClosedWithoutReason(cluster(closed, password))).isFalse();
        assertThat(RedisErrors.isClosedWithoutReason(cluster(closed, closed))).isTrue();
        assertThat(RedisErrors.isClosedWithoutReason(cluster())).isFalse();
    }

    private static RedisConnectionException cluster(RedisConnectionException... nodes) {
        RedisException topology = new RedisException("cannot retrieve cluster partitions");
        Stream.of(nodes).forEach(topology::addSuppressed);
        topology.addSuppressed(new Exception("#block terminated with an error"));
        return new RedisConnectionException("unable to establish a connection to the cluster", topology);
    }

    @Test
    @DisplayName("of a connection that was closed before it was set up give no reason")
    void closedBeforeHandshake() {
        assertThat(RedisErrors.isClosedWithoutReason(new RedisConnectionException(
                        "x", new IllegalStateException("RedisHandshakeHandler not registered"))))
                .isTrue();
        assertThat(RedisErrors.isClosedWithoutReason(
                        new RedisConnectionException("x", new IllegalStateException("another one"))))
                .isFalse();
    }

    @Test
    @DisplayName("name the protected mode, which answers before it is asked")
    void protectedMode() {
        RedisConnectionException failure = new RedisConnectionException(
                "x", new RedisConnectionException("DENIED Redis is running in protected mode because ..."));

        LockException translated = RedisErrors.cannotConnect(failure, "h:1", false);

        assertThat(translated.code()).isEqualTo(AUTH_FAILED);
        assertThat(translated).hasMessageContaining("protected-mode").hasCause(failure);
    }

    @Test
    @DisplayName("certificates that cannot be read are told from a server that is no Redis")
    void noCertificates() {
        CertificateException none = new CertificateException("found no certificates in input stream");
        RedisException failure = new RedisConnectionException("x", new IllegalArgumentException("x", none));
        assertThat(RedisErrors.cannotConnect(failure, "h:1", false))
                .hasMessageContaining("h:1: TLS failed; there are no certificates");
    }
}
