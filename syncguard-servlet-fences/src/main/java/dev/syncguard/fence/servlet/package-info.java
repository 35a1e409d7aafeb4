/** {@link dev.syncguard.fence.servlet.FenceFilter} reads the fence of a request and answers for a stale one. */
@NullMarked
package dev.syncguard.fence.servlet;

import org.jspecify.annotations.NullMarked;
