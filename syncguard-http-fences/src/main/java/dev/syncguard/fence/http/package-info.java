/**
 * Fences in HTTP requests: the header {@code Syncguard-Fence}, and a problem document (RFC 9457) for a refused one.
 * {@link dev.syncguard.fence.http.FencedRequests} is the client's side, {@link dev.syncguard.fence.http.FenceCheck} the server's.
 */
@NullMarked
package dev.syncguard.fence.http;

import org.jspecify.annotations.NullMarked;
