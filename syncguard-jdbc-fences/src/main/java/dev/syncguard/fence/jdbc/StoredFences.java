package dev.syncguard.fence.jdbc;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads fences from rows that anybody may have written. */
final class StoredFences {

    private StoredFences() {}

    /** Returns the first column of a row, or null if it is null. */
    static @Nullable Fence read(ResultSet row, LockKey resource) throws SQLException {
        String stored = row.getString(1);
        if (stored == null) {
            return null;
        }
        try {
            // Not getLong: SQLite's driver reads 0 from a text that is no number.
            return new Fence(new BigDecimal(stored).longValueExact());
        } catch (LockException | ArithmeticException | NumberFormatException notAFence) {
            throw damaged(resource);
        }
    }

    static LockException damaged(LockKey resource) {
        return new LockException(
                Code.INTERNAL,
                "the stored fence is damaged: no guard writes such a value; set it to the highest fence that was granted [key "
                        + resource.hash() + "]");
    }
}
