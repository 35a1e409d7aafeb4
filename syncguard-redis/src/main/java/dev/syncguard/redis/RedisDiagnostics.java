package dev.syncguard.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.StoreDiagnostics;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks for settings of the server that break what a lock promises. On a cluster: the settings of its first master. */
final class RedisDiagnostics implements StoreDiagnostics {

    static final String CLUSTER = "redis.cluster";

    private static final long DRIFT_LIMIT_MS = 500;
    private static final int SCAN_PAGES = 200;

    private final RedisSession session;

    RedisDiagnostics(RedisSession session) {
        this.session = session;
    }

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        signal.throwIfAborted();
        List<Finding> findings = new ArrayList<>(settings());
        findings.add(clock());
        findings.add(counters());
        return findings;
    }

    /** The findings of a start: cheap, whatever the size of the store. */
    List<Finding> settings() {
        RedisExecutor executor =
                session.executor(session.link().masters().values().iterator().next());
        RedisServerInfo info = RedisServerInfo.read(executor);
        List<Finding> findings = new ArrayList<>();
        findings.add(version(info));
        findings.add(eviction(info, executor));
        findings.add(persistence(info, executor));
        findings.add(role(info));
        findings.add(replicas(info));
        findings.add(cluster(executor));
        return findings;
    }

    private static Finding version(RedisServerInfo info) {
        return info.get("redis_version")
                .map(version -> ok(
                        "redis.version", "version " + info.get("valkey_version").orElse(version)))
                .orElse(unknown("redis.version", "INFO is not allowed"));
    }

    private static Finding eviction(RedisServerInfo info, RedisExecutor executor) {
        String id = "redis.eviction";
        Optional<String> policy = info.get("maxmemory_policy").or(() -> config(executor, "maxmemory-policy"));
        if (policy.isEmpty()) {
            return unknown(id, "neither INFO nor CONFIG tell the eviction policy");
        }
        String found = "maxmemory-policy is " + policy.get();
        if (policy.get().equals("noeviction") || info.is("maxmemory", "0")) {
            return ok(id, found + (info.is("maxmemory", "0") ? ", without a limit" : ""));
        }
        String fix = "set maxmemory-policy noeviction, or keep locks on a server of their own";
        return policy.get().startsWith("volatile")
                ? new Finding(id, Level.DANGER, found + ": a full server removes locks that are held", fix)
                : new Finding(id, Level.DANGER, found + ": a full server removes locks and fence counters", fix);
    }

    private Finding persistence(RedisServerInfo info, RedisExecutor executor) {
        String id = "redis.persistence";
        Optional<String> aof = info.get("aof_enabled");
        if (aof.isEmpty()) {
            return unknown(id, "INFO does not tell about persistence");
        }
        boolean floored = session.settings().fenceMode() == FenceMode.TIME_FLOORED;
        Level level = floored ? Level.WARN : Level.DANGER;
        String fix = "set appendonly yes and appendfsync always" + (floored ? "" : ", or use FenceMode.TIME_FLOORED");
        if (aof.get().equals("0")) {
            return new Finding(id, level, "no append-only file: a crash loses locks and sets fence counters back", fix);
        }
        String fsync = config(executor, "appendfsync").orElse("");
        return switch (fsync) {
            case "always" -> ok(id, "append-only file, written before every answer");
            case "" -> unknown(id, "append-only file; CONFIG is not allowed, so how often it is written is not known");
            default ->
                new Finding(
                        id,
                        Level.WARN,
                        "appendfsync is " + fsync
                                + ": a crash of the machine loses the last second of locks and fences",
                        fix);
        };
    }

    private static Finding role(RedisServerInfo info) {
        String id = "redis.role";
        return switch (info.get("role").orElse("")) {
            case "master" -> ok(id, "primary");
            case "" -> unknown(id, "INFO does not tell the role");
            default -> new Finding(id, Level.DANGER, "this server is a replica", "connect to the primary");
        };
    }

    private Finding replicas(RedisServerInfo info) {
        String id = "redis.replicas";
        Optional<String> connected = info.get("connected_slaves");
        if (connected.isEmpty()) {
            return unknown(id, "INFO does not tell about replicas");
        }
        int replicas = Integer.parseInt(connected.get());
        int wanted = session.settings().replicas();
        if (replicas < wanted) {
            return new Finding(
                    id,
                    Level.DANGER,
                    replicas + " replicas, but " + wanted + " must acknowledge: every acquire fails",
                    "connect more replicas or ask for fewer acknowledgements");
        }
        if (replicas == 0 || (wanted > 0 && session.settings().fenceMode() == FenceMode.TIME_FLOORED)) {
            return ok(
                    id,
                    replicas == 0 ? "no replicas, no failover" : replicas + " replicas, " + wanted + " acknowledge");
        }
        return new Finding(
                id,
                Level.WARN,
                replicas + " replicas, replicated later: a failover can forget the last locks and repeat fences",
                "use FenceMode.TIME_FLOORED, and replicaAcks for fewer double holders");
    }

    private Finding cluster(RedisExecutor executor) {
        String id = CLUSTER;
        if (!session.link().isCluster()) {
            return ok(id, "not a cluster");
        }
        try {
            String state = RedisReply.text(executor.await(RedisCall.of(CommandType.CLUSTER, "INFO")), 0);
            if (state.contains("cluster_state:ok")) {
                return ok(id, "cluster, all slots served; locks spread over " + RedisKeys.SHARDS + " of them");
            }
            return new Finding(
                    id, Level.DANGER, "the cluster does not serve all slots", "see CLUSTER INFO and CLUSTER NODES");
        } catch (LockException e) {
            return unknown(id, "CLUSTER INFO is not allowed");
        }
    }

    private Finding clock() {
        long drift = session.clock().driftMs();
        if (Math.abs(drift) <= DRIFT_LIMIT_MS) {
            return ok("redis.clock", "the server's clock moved " + drift + " ms against ours since the start");
        }
        return new Finding(
                "redis.clock",
                Level.WARN,
                "the server's clock jumped " + drift + " ms since the start: locks ended early or late",
                "let the clock be slewed, not stepped (chrony, ntpd -x)");
    }

    private Finding counters() {
        long count = 0;
        boolean all = true;
        for (StatefulConnection<String, String> master :
                session.link().masters().values()) {
            RedisExecutor executor = session.executor(master);
            String cursor = "0";
            int pages = 0;
            do {
                List<Object> reply;
                try {
                    reply = executor.await(RedisCall.of(
                            CommandType.SCAN, cursor, "MATCH", session.keys().counterPattern(), "COUNT", "5000"));
                } catch (LockException e) {
                    if (e.code() != Code.AUTH_FAILED) {
                        throw e;
                    }
                    return unknown("redis.counters", "SCAN is not allowed");
                }
                cursor = RedisReply.text(reply, 0);
                count += reply.stream()
                        .skip(1)
                        .map(String.class::cast)
                        .filter(session.keys()::isCounter)
                        .count();
            } while (!cursor.equals("0") && ++pages < SCAN_PAGES);
            all &= cursor.equals("0");
        }
        return ok(
                "redis.counters",
                (all ? "" : "more than ") + count + " fence counters, about 100 bytes each, kept for ever");
    }

    private static Optional<String> config(RedisExecutor executor, String name) {
        try {
            List<Object> reply = executor.await(RedisCall.of(CommandType.CONFIG, "GET", name));
            return reply.size() < 2 ? Optional.empty() : Optional.of(RedisReply.text(reply, 1));
        } catch (LockException e) {
            return Optional.empty();
        }
    }

    private static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }

    private static Finding unknown(String id, String message) {
        return new Finding(id, Level.UNKNOWN, message, "");
    }
}
