package dev.syncguard.cli.store;

import dev.syncguard.FenceMode;
import dev.syncguard.cli.text.Durations;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** What was set, of the {@link StoreSetting}s. */
public final class StoreSettings {

    private final Map<StoreSetting, String> values = new EnumMap<>(StoreSetting.class);

    /** Creates settings of which none is set. */
    public StoreSettings() {}

    /**
     * Sets one.
     *
     * @param setting which
     * @param value checked when the store is opened
     */
    public void put(StoreSetting setting, String value) {
        values.put(setting, value);
    }

    /**
     * Returns these settings, and others where these are not set.
     *
     * @param others further settings
     * @return both
     */
    public StoreSettings orElse(StoreSettings others) {
        StoreSettings both = new StoreSettings();
        both.values.putAll(others.values);
        both.values.putAll(values);
        return both;
    }

    void check(StoreKind kind) {
        values.forEach((setting, value) -> setting.check(kind, value));
    }

    boolean has(StoreSetting setting) {
        return values.containsKey(setting);
    }

    boolean isTrue(StoreSetting setting) {
        return "true".equals(values.get(setting));
    }

    String get(StoreSetting setting, String otherwise) {
        return values.getOrDefault(setting, otherwise);
    }

    void ifSet(StoreSetting setting, Consumer<String> use) {
        String value = values.get(setting);
        if (value != null) {
            use.accept(value);
        }
    }

    void fenceMode(Consumer<FenceMode> use) {
        ifSet(
                StoreSetting.FENCE_MODE,
                mode -> use.accept(mode.equals("counter") ? FenceMode.COUNTER : FenceMode.TIME_FLOORED));
    }

    void commandTimeout(Consumer<Duration> use) {
        ifSet(StoreSetting.COMMAND_TIMEOUT, time -> use.accept(new Durations().convert(time)));
    }
}
