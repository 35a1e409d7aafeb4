package dev.syncguard.redis;

import static dev.syncguard.redis.RedisDiagnostics.ok;
import static dev.syncguard.redis.RedisDiagnostics.unknown;

import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;

/** Settings of one server that break the promise of a lock. */
final class ServerCheck {

    static final String CLUSTER = "redis.cluster";

    private final RedisSession session;
    private final RedisExecutor executor;
    private final RedisServerInfo info;

    ServerCheck(RedisSession session, RedisExecutor executor) {
        this.session = session;
        this.executor = executor;
        this.info = RedisServerInfo.read(executor);
    }

    List<Finding> findings() {
        return List.of(version(), eviction(), persistence(), role(), replicas(), cluster());
    }

    private Finding version() {
        return info.get("redis_version")
                .map(version -> ok(
                        "redis.version", "version " + info.get("valkey_version").orElse(version)))
                .orElse(unknown("redis.version", "INFO is not allowed"));
    }

    private Finding eviction() {
        String id = "redis.eviction";
        Optional<String> policy = info.get("maxmemory_policy").or(() -> config("maxmemory-policy"));
        if (policy.isEmpty()) {
            return unknown(id, "neither INFO nor CONFIG return the eviction policy");
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

    private Finding persistence() {
        String id = "redis.persistence";
        Optional<String> aof = info.get("aof_enabled");
        if (aof.isEmpty()) {
            return unknown(id, "INFO does not return the persistence settings");
        }
        boolean floored = session.settings().fenceMode() == FenceMode.TIME_FLOORED;
        Level level = floored ? Level.WARN : Level.DANGER;
        String fix = "set appendonly yes and appendfsync always" + (floored ? "" : ", or use FenceMode.TIME_FLOORED");
        if (aof.get().equals("0")) {
            return new Finding(id, level, "no append-only file: a crash loses locks and sets fence counters back", fix);
        }
        String fsync = config("appendfsync").orElse("");
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

    private Finding role() {
        String id = "redis.role";
        return switch (info.get("role").orElse("")) {
            case "master" -> ok(id, "primary");
            case "" -> unknown(id, "INFO does not return the role");
            default -> new Finding(id, Level.DANGER, "this server is a replica", "connect to the primary");
        };
    }

    private Finding replicas() {
        String id = "redis.replicas";
        Optional<String> connected = info.get("connected_slaves");
        if (connected.isEmpty()) {
            return unknown(id, "INFO does not return the replicas");
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

    private Finding cluster() {
        if (!session.link().isCluster()) {
            return ok(CLUSTER, "not a cluster");
        }
        try {
            String state = RedisReply.text(executor.await(RedisCall.of(CommandType.CLUSTER, "INFO")), 0);
            if (state.contains("cluster_state:ok")) {
                return ok(CLUSTER, "cluster, all slots served; locks spread over " + RedisKeys.SHARDS + " of them");
            }
            return new Finding(
                    CLUSTER,
                    Level.DANGER,
                    "the cluster does not serve all slots",
                    "see CLUSTER INFO and CLUSTER NODES");
        } catch (LockException e) {
            return unknown(CLUSTER, "CLUSTER INFO is not allowed");
        }
    }

    private Optional<String> config(String name) {
        try {
            List<Object> reply = executor.await(RedisCall.of(CommandType.CONFIG, "GET", name));
            return reply.size() < 2 ? Optional.empty() : Optional.of(RedisReply.text(reply, 1));
        } catch (LockException e) {
            return Optional.empty();
        }
    }
}
