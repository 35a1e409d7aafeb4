package dev.syncguard.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** What a native image must keep for the stores: their scripts and statements, and what they ask by name. */
final class SyncGuardRuntimeHints implements RuntimeHintsRegistrar {

    /** Pools and drivers that PostgreSQL's backend asks for their limits and their address. */
    private static final String[] ASKED = {
        "com.zaxxer.hikari.HikariDataSource",
        "org.postgresql.ds.PGSimpleDataSource",
        "org.apache.tomcat.jdbc.pool.DataSource",
        "org.apache.commons.dbcp2.BasicDataSource"
    };

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("dev/syncguard/redis/*.lua")
                .registerPattern("dev/syncguard/postgres/*.sql")
                .registerPattern("dev/syncguard/fence/jdbc/*.sql");
        for (String type : ASKED) {
            if (ClassUtils.isPresent(type, loader)) {
                hints.reflection().registerType(TypeReference.of(type), MemberCategory.INVOKE_PUBLIC_METHODS);
            }
        }
        // For the types of drivers that later versions have only.
        hints.reflection().registerTypeIfPresent(loader, "io.lettuce.core.MaintNotificationsConfig");
        hints.reflection()
                .registerTypeIfPresent(
                        loader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        hint -> hint.withField("configuration"));
    }
}
