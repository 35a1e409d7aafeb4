package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what SQLite answers into lock exceptions, by its result code. */
final class SqliteErrors {

    /** What was being done: only a commit can have an unknown outcome. */
    enum Phase {
        WORKING,
        COMMITTING
    }

    private static final int PRIMARY = 0xff;

    private SqliteErrors() {}

    static boolean isBusy(SQLException e) {
        SQLiteErrorCode code = primary(e);
        return code == SQLiteErrorCode.SQLITE_BUSY || code == SQLiteErrorCode.SQLITE_LOCKED;
    }

    static boolean isFull(@Nullable Throwable e) {
        return e instanceof SQLException failure && primary(failure) == SQLiteErrorCode.SQLITE_FULL;
    }

    static LockException translate(SQLException e, Phase phase) {
        SQLiteErrorCode reason = primary(e);
        boolean unknown = phase == Phase.COMMITTING && mayHaveCommitted(reason);
        return new LockException(code(reason), message(reason) + " (" + name(e) + ")", e, unknown);
    }

    private static Code code(SQLiteErrorCode reason) {
        return switch (reason) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_INTERRUPT -> Code.NETWORK_TIMEOUT;
            case SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_NOLFS -> Code.SERVICE_UNAVAILABLE;
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> Code.AUTH_FAILED;
            default -> Code.INTERNAL;
        };
    }

    /**
     * The commit record is the last thing that is written to the log. A full disk cut it off, and a file that is busy or
     * cannot be written did not let it begin. After any other failure it may stand there, and then the next recovery makes
     * it count.
     */
    private static boolean mayHaveCommitted(SQLiteErrorCode reason) {
        return switch (reason) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_READONLY -> false;
            default -> true;
        };
    }

    private static String message(SQLiteErrorCode reason) {
        return switch (reason) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
                "another process holds the write lock of the lock file too long; look for one that is stopped";
            case SQLITE_FULL -> "the disk of the lock file is full; make room";
            case SQLITE_IOERR -> "the disk of the lock file failed";
            case SQLITE_CANTOPEN ->
                "the lock file, or the files beside it, cannot be opened; look at the folder and its permissions";
            case SQLITE_READONLY ->
                "the lock file cannot be written; look at its owner and permissions, its folder's, and whether the disk"
                        + " is mounted read-only";
            case SQLITE_PERM, SQLITE_AUTH -> "the permission to use the lock file is missing";
            case SQLITE_NOTADB -> "the file is not a SQLite database, and is left as it is; choose another file";
            case SQLITE_CORRUPT ->
                "the lock file is damaged; stop every process that uses it, move it away with its -wal and -shm, and use"
                        + " FenceMode.TIME_FLOORED or 'fence raise' before you go on";
            case SQLITE_CONSTRAINT -> "this lock id holds another key";
            case SQLITE_NOMEM -> "SQLite got no memory";
            default -> "SQLite refused the statement";
        };
    }

    /** Extended codes carry the general one in their low byte. */
    private static SQLiteErrorCode primary(SQLException e) {
        return e instanceof SQLiteException known
                ? SQLiteErrorCode.getErrorCode(known.getResultCode().code & PRIMARY)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    private static String name(SQLException e) {
        return e instanceof SQLiteException known ? known.getResultCode().name() : "no result code";
    }
}
