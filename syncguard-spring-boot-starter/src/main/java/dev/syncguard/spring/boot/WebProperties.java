package dev.syncguard.spring.boot;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of fences in HTTP requests.
 *
 * @param staleFenceConflict Whether a request whose fence is stale is answered with 409 and a problem document.
 * @param fencePaths URL patterns, such as /accounts/*, whose requests are checked for a well-formed fence before a handler sees them.
 * @param fenceRequired Whether a request to these paths that is not GET, HEAD, OPTIONS or TRACE is refused without a fence.
 */
@ConfigurationProperties("syncguard.web")
record WebProperties(
        @DefaultValue("true") boolean staleFenceConflict,
        @DefaultValue List<String> fencePaths,
        @DefaultValue("true") boolean fenceRequired) {}
