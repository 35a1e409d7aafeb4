package dev.syncguard.faults.teeth;

import java.util.List;

/**
 * A bug that the checker must catch.
 *
 * @param name its name
 * @param module whose source is changed; empty if the bug is one of the set-up
 * @param file the source, from the module's {@code src/main} on
 * @param edits what is changed
 * @param scene where it shows
 * @param expected the invariants of which one must be broken
 */
public record Tooth(String name, String module, String file, List<Edit> edits, Scenario scene, List<String> expected) {

    /**
     * A change of a source. The text must be there exactly once, so that a seeded bug cannot rot.
     *
     * @param search what is there
     * @param replacement what is there instead
     */
    public record Edit(String search, String replacement) {}

    /** A bug of one change. */
    static Tooth of(
            String name,
            String module,
            String file,
            String search,
            String replacement,
            Scenario scene,
            String... expected) {
        return new Tooth(name, module, file, List.of(new Edit(search, replacement)), scene, List.of(expected));
    }
}
