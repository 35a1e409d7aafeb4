package dev.syncguard.spring.boot;

import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.redis.RedisLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import io.lettuce.core.SslOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.ClassUtils;

/** Locks in Redis: by URL, or at the server of the application's connection factory. */
final class RedisBackendSource implements BackendSource {

    private static final boolean FACTORIES = ClassUtils.isPresent(
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
            RedisBackendSource.class.getClassLoader());

    private final SyncGuardProperties common;
    private final RedisProperties properties;
    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<SslBundles> bundles;

    RedisBackendSource(
            SyncGuardProperties common,
            RedisProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<SslBundles> bundles) {
        this.common = common;
        this.properties = properties;
        this.beans = beans;
        this.bundles = bundles;
    }

    @Override
    public String name() {
        return StoreModule.REDIS.source();
    }

    @Override
    public boolean accepts(String url) {
        return StoreModule.REDIS.accepts(url);
    }

    @Override
    public LockBackend open(String url) {
        RedisLockBackendBuilder builder = RedisLockBackend.builder(url);
        String bundle = properties.sslBundle();
        return build(bundle == null ? builder : builder.tls(tls(bundle)));
    }

    @Override
    public BeanCandidates beans() {
        return FACTORIES ? RedisFactories.candidates(beans) : BeanCandidates.NONE;
    }

    @Override
    public LockBackend use(String bean) {
        return RedisFactories.open(beans, bean, this::build);
    }

    private LockBackend build(RedisLockBackendBuilder builder) {
        new Settings<>("syncguard", builder)
                .set("command-timeout", common.commandTimeout(), RedisLockBackendBuilder::commandTimeout)
                .set("fence-mode", common.fenceMode(), RedisLockBackendBuilder::fenceMode)
                .set("cleanup-in-is-locked", common.cleanupInIsLocked(), RedisLockBackendBuilder::cleanupInIsLocked)
                .flag(common.strict(), RedisLockBackendBuilder::strict);
        return new Settings<>("syncguard.redis", builder)
                .set("key-prefix", properties.keyPrefix(), RedisLockBackendBuilder::keyPrefix)
                .set("replica-acks", properties.replicaAcks(), RedisLockBackendBuilder::replicaAcks)
                .value()
                .build();
    }

    private SslOptions tls(String name) {
        try {
            SslBundle bundle = bundles.getObject().getBundle(name);
            return SslOptions.builder()
                    .jdkSslProvider()
                    .keyManager(bundle.getManagers().getKeyManagerFactory())
                    .trustManager(bundle.getManagers().getTrustManagerFactory())
                    .build();
        } catch (NoSuchSslBundleException e) {
            throw new InvalidSettingException("syncguard.redis.ssl-bundle", "there is no SSL bundle '" + name + "'");
        }
    }
}
