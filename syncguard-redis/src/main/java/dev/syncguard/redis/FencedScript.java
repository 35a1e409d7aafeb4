package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;

/**
 * A Lua script of the application with the check of the fence in front of it. Make it once and keep it.
 *
 * <pre>{@code
 * static final FencedScript WITHDRAW = FencedScript.of("return redis.call('DECRBY', KEYS[1], ARGV[1])");
 *
 * fences.run(WITHDRAW, List.of("account:7"), List.of("100"), lease.fence());
 * }</pre>
 *
 * <p>The script sees its own {@code KEYS} and {@code ARGV} only, as without the check. If the fence is stale, nothing of it
 * is executed. If it fails, what it wrote before stays, as with any script, and its fence counts as accepted; it is not sent
 * again, and the exception says that the outcome is unknown. On a cluster it declares every key that it uses.
 */
public final class FencedScript {

    private static final String CHECK = ScriptText.read("fence.lua");

    private final ScriptText whole;

    /** As {@code EVAL}: the first result counts. */
    private static final String ANSWER = "return {1, (write())}";

    private record Whole(String text, String sha, boolean mayFailHalfway) implements ScriptText {}

    private FencedScript(String body, boolean mayFailHalfway) {
        String text = CHECK + "local function write()\n" + body + "\nend\n" + ANSWER;
        whole = new Whole(text, ScriptText.sha1(text), mayFailHalfway);
    }

    /** One command, which fails as a whole. */
    static FencedScript single(String command) {
        return new FencedScript(command, false);
    }

    /**
     * Puts the check in front of a script.
     *
     * @param script a script as {@code EVAL} takes it; the first line may be {@code #!lua} without flags
     * @return the same script, fenced
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is missing or declares flags
     */
    public static FencedScript of(String script) {
        if (script == null || script.isBlank()) {
            throw new LockException(Code.INVALID_ARGUMENT, "a fenced script needs a text");
        }
        if (!script.startsWith("#!")) {
            return new FencedScript(script, true);
        }
        String[] lines = script.split("\n", 2);
        if (!lines[0].strip().equals("#!lua") || lines.length == 1) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, "a fenced script cannot declare flags: the check in front of it writes");
        }
        return new FencedScript(lines[1], true);
    }

    ScriptText whole() {
        return whole;
    }
}
