package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.protocol.CommandType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What INFO says about a server. Empty if the user may not ask. */
final class RedisServerInfo {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    private final Map<String, String> fields = new HashMap<>();

    private RedisServerInfo(String text) {
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
    }

    static RedisServerInfo read(RedisExecutor executor) {
        try {
            return new RedisServerInfo(RedisReply.text(executor.await(RedisCall.of(CommandType.INFO)), 0));
        } catch (LockException e) {
            if (e.code() == Code.AUTH_FAILED && isForbidden(e)) {
                return new RedisServerInfo("");
            }
            throw e;
        }
    }

    /** Whether only this command is forbidden; a wrong password is another matter. */
    private static boolean isForbidden(LockException e) {
        return e.getCause() != null && RedisErrors.isForbiddenCommand(e.getCause());
    }

    Optional<String> get(String field) {
        return Optional.ofNullable(fields.get(field));
    }

    boolean is(String field, String value) {
        return value.equals(fields.get(field));
    }

    /** Whether the server is this version or newer, or does not tell. Valkey tells the Redis version it stands for. */
    boolean isAtLeast(int major, int minor) {
        Matcher version = VERSION.matcher(fields.getOrDefault("redis_version", ""));
        if (!version.matches()) {
            return true;
        }
        int found = Integer.parseInt(version.group(1));
        return found > major || (found == major && Integer.parseInt(version.group(2)) >= minor);
    }

    /** Refuses servers on which no lock can work. */
    void check() {
        if (!isAtLeast(6, 2)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this server is Redis " + get("redis_version").orElse("?") + "; 6.2 or newer is needed");
        }
        if (is("redis_mode", "sentinel") || is("server_mode", "sentinel")) { // Valkey has the second
            throw new LockException(
                    Code.INVALID_ARGUMENT, "this is a Sentinel; name it as redis-sentinel://host:port#name-of-primary");
        }
        if (is("role", "slave") && !isCluster()) {
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "this server is a replica; connect to the primary or use redis-sentinel://");
        }
    }

    boolean isCluster() {
        return is("cluster_enabled", "1");
    }
}
