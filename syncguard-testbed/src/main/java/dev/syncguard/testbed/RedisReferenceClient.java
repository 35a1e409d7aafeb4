package dev.syncguard.testbed;

import java.util.Optional;

/**
 * Another client of the same stored layout: does on Redis what the scripts of the specification do, with the JSON library of
 * the server and without anything of this library's code. For tests in which both share a store.
 */
public final class RedisReferenceClient {

    private static final String NOW = "local time = redis.call('TIME')"
            + " local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)"
            + " local function live(lock) return lock.expiresAtMs > nowMs - 1000 end";

    private static final String ACQUIRE = NOW
            + " local held = redis.call('GET', KEYS[1])"
            + " if held and live(cjson.decode(held)) then return 0 end"
            + " local fence = string.format('%015d', redis.call('INCR', KEYS[3]))"
            + " local lock = {lockId = ARGV[1], expiresAtMs = nowMs + ARGV[2], acquiredAtMs = nowMs,"
            + " key = ARGV[3], fence = fence}"
            + " redis.call('SET', KEYS[1], cjson.encode(lock), 'PX', ARGV[2])"
            + " redis.call('SET', KEYS[2], KEYS[1], 'PX', ARGV[2])"
            + " return fence";

    private static final String OWN = NOW
            + " local name = redis.call('GET', KEYS[1]) if not name then return -1 end"
            + " local text = redis.call('GET', name) if not text then return -1 end"
            + " local lock = cjson.decode(text)";

    private static final String EXPIRED = " if not live(lock) then redis.call('DEL', name, KEYS[1]) return -2 end"
            + " if lock.lockId ~= ARGV[1] then return 0 end";

    private static final String RELEASE = OWN + EXPIRED + " redis.call('DEL', name, KEYS[1]) return 1";

    private static final String EXTEND = OWN + EXPIRED
            + " lock.expiresAtMs = nowMs + ARGV[2]"
            + " redis.call('SET', name, cjson.encode(lock), 'PX', ARGV[2])"
            + " redis.call('SET', KEYS[1], name, 'PX', ARGV[2]) return 1";

    private static final String LOOKUP = OWN + " if lock.lockId ~= ARGV[1] or not live(lock) then return -1 end"
            + " return lock.key .. '\\n' .. lock.fence";

    private static final String IS_LOCKED =
            NOW + " local held = redis.call('GET', KEYS[1])" + " return held and live(cjson.decode(held)) and 1 or 0";

    private final RedisServer server;
    private final String prefix;

    /**
     * Creates a client.
     *
     * @param server where it keeps its locks
     * @param prefix how its keys begin
     */
    public RedisReferenceClient(RedisServer server, String prefix) {
        this.server = server;
        this.prefix = prefix;
    }

    /**
     * Tries once to acquire.
     *
     * @param key what to lock
     * @param lockId 22 characters that no other grant has
     * @param ttlMs the time to live
     * @return the fence, or empty if another client holds it
     */
    public Optional<String> acquire(String key, String lockId, long ttlMs) {
        String lock = prefix + ":" + key;
        String counter = prefix + ":fence:" + lock;
        String reply =
                server.command("EVAL", ACQUIRE, "3", lock, index(lockId), counter, lockId, Long.toString(ttlMs), key);
        return reply.equals("0") ? Optional.empty() : Optional.of(reply);
    }

    /**
     * Releases.
     *
     * @param lockId of this client or another one
     * @return whether the lock was held
     */
    public boolean release(String lockId) {
        return byId(RELEASE, lockId).equals("1");
    }

    /**
     * Extends.
     *
     * @param lockId of this client or another one
     * @param ttlMs the new time to live
     * @return whether the lock was held
     */
    public boolean extend(String lockId, long ttlMs) {
        return byId(EXTEND, lockId, Long.toString(ttlMs)).equals("1");
    }

    /**
     * Looks up a lock id.
     *
     * @param lockId of this client or another one
     * @return key and fence on two lines, or empty
     */
    public Optional<String> lookup(String lockId) {
        String reply = byId(LOOKUP, lockId);
        return reply.equals("-1") ? Optional.empty() : Optional.of(reply);
    }

    /**
     * Returns whether a key is locked.
     *
     * @param key the key
     * @return whether it is
     */
    public boolean isLocked(String key) {
        return server.command("EVAL", IS_LOCKED, "1", prefix + ":" + key).equals("1");
    }

    private String byId(String script, String... arguments) {
        String[] command = new String[4 + arguments.length];
        command[0] = "EVAL";
        command[1] = script;
        command[2] = "1";
        command[3] = index(arguments[0]);
        System.arraycopy(arguments, 0, command, 4, arguments.length);
        return server.command(command);
    }

    private String index(String lockId) {
        return prefix + ":id:" + lockId;
    }
}
