package dev.syncguard.spring.boot;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The modules of stores, to be named where one is missing. */
enum StoreModule {
    REDIS("redis", true, "redis:", "rediss:", "redis-", "rediss-"),
    POSTGRES("postgres", true, "jdbc:postgresql:"),
    FIRESTORE("firestore", true, "firestore:"),
    SQLITE("sqlite", false, "sqlite:");

    private final String source;
    private final boolean hasBeans;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> begins;

    StoreModule(String source, boolean hasBeans, String... begins) {
        this.source = source;
        this.hasBeans = hasBeans;
        this.begins = List.of(begins);
    }

    String source() {
        return source;
    }

    boolean hasBeans() {
        return hasBeans;
    }

    boolean accepts(String url) {
        return begins.stream().anyMatch(url::startsWith);
    }

    BackendChoiceException missing() {
        return new BackendChoiceException(
                "syncguard.backend names a store of the module syncguard-" + source
                        + ", which is not there, or its driver is not.",
                "Add " + artifact() + " and the driver of the store to the dependencies.");
    }

    static String missing(List<BackendSource> present) {
        return Arrays.stream(values())
                .filter(module ->
                        present.stream().noneMatch(source -> source.name().equals(module.source)))
                .map(StoreModule::artifact)
                .collect(Collectors.joining(" or "));
    }

    private String artifact() {
        return "dev.syncguard:syncguard-" + source;
    }
}
