package dev.syncguard.spring.boot;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import io.lettuce.core.RedisClient;
import org.postgresql.Driver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The stores whose module and driver are there. */
final class BackendSources {

    private BackendSources() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisLockBackend.class, RedisClient.class})
    @EnableConfigurationProperties(RedisProperties.class)
    static class Redis {

        @Bean
        RedisBackendSource syncguardRedisSource(
                SyncGuardProperties common,
                RedisProperties properties,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<SslBundles> bundles) {
            return new RedisBackendSource(common, properties, beans, bundles);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PostgresLockBackend.class, Driver.class})
    @EnableConfigurationProperties(PostgresProperties.class)
    static class Postgres {

        @Bean
        PostgresBackendSource syncguardPostgresSource(
                SyncGuardProperties common, PostgresProperties properties, ConfigurableListableBeanFactory beans) {
            return new PostgresBackendSource(common, properties, beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({FirestoreLockBackend.class, Firestore.class})
    @EnableConfigurationProperties(FirestoreProperties.class)
    static class Cloud {

        @Bean
        FirestoreBackendSource syncguardFirestoreSource(
                SyncGuardProperties common, FirestoreProperties properties, ConfigurableListableBeanFactory beans) {
            return new FirestoreBackendSource(common, properties, beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({SqliteLockBackend.class, org.sqlite.JDBC.class})
    static class File {

        @Bean
        SqliteBackendSource syncguardSqliteSource(SyncGuardProperties common) {
            return new SqliteBackendSource(common);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        MemoryBackendSource syncguardMemorySource() {
            return new MemoryBackendSource();
        }
    }
}
