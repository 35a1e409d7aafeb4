package dev.syncguard.redis;

/** The scripts, each one step of the contract; {@code lock.lua} stands in front of all of them. */
enum RedisScript implements ScriptText {
    ACQUIRE("json.lua", "acquire.lua"),
    RELEASE("json.lua", "hand-over.lua", "release.lua"),
    EXTEND("json.lua", "extend.lua"),
    IS_LOCKED("is-locked.lua"),
    FIND_BY_KEY("find.lua", "find-by-key.lua"),
    FIND_BY_ID("find.lua", "find-by-id.lua"),
    RAISE_FENCE("raise-fence.lua");

    private final String text;
    private final String sha;

    RedisScript(String... files) {
        StringBuilder all = new StringBuilder(ScriptText.read("lock.lua"));
        for (String file : files) {
            all.append(ScriptText.read(file));
        }
        this.text = all.toString();
        this.sha = ScriptText.sha1(text);
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String sha() {
        return sha;
    }
}
