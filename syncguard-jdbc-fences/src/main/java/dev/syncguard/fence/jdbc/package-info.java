/**
 * Fence guards in the application's own database. {@link dev.syncguard.fence.jdbc.JdbcFenceGuard} keeps the highest fence of
 * each resource in a table of its own; {@link dev.syncguard.fence.jdbc.FenceColumn} in a column of the protected row. Both
 * work in the transaction of the protected write, so that the order of the commits decides.
 */
@NullMarked
package dev.syncguard.fence.jdbc;

import org.jspecify.annotations.NullMarked;
