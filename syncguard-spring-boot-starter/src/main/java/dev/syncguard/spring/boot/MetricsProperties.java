package dev.syncguard.spring.boot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of meters.
 *
 * @param enabled Whether locks are measured, if Micrometer and syncguard-micrometer are there.
 * @param tagKeys How many keys get a tag with their hash. None if 0.
 * @param fences For how many keys the highest fence is a gauge. None if 0.
 * @param observations Whether acquires and holds are also observed, for tracing.
 */
@ConfigurationProperties("syncguard.metrics")
record MetricsProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("0") int tagKeys,
        @DefaultValue("0") int fences,
        @DefaultValue("true") boolean observations) {}
