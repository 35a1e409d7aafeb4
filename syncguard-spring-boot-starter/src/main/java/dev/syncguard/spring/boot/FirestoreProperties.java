package dev.syncguard.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of locks in Firestore.
 *
 * @param locksCollection Collection of the locks. "locks" if not set.
 * @param countersCollection Collection of the fence counters. "fence_counters" if not set.
 * @param clockLimit From which difference on a clock is refused. 500 milliseconds if not set, and at most.
 * @param mixedFleet Whether keys with a slash are refused, because clients in other languages use the same collections.
 */
@ConfigurationProperties("syncguard.firestore")
record FirestoreProperties(
        @DefaultValue("locks") String locksCollection,
        @DefaultValue("fence_counters") String countersCollection,
        @Nullable Duration clockLimit,
        @DefaultValue("false") boolean mixedFleet) {}
