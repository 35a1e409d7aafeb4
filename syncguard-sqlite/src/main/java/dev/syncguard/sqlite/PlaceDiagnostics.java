package dev.syncguard.sqlite;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Looks for what is wrong with the place of the lock file. */
final class PlaceDiagnostics {

    private static final long ENOUGH_BYTES = 64L << 20;

    private PlaceDiagnostics() {}

    static Finding fileSystem(String type) {
        if (type.isEmpty()) {
            return unknown("sqlite.filesystem", "the type of the file system could not be read");
        }
        return type.startsWith("fuse") || type.equals("virtiofs")
                ? new Finding(
                        "sqlite.filesystem",
                        Level.WARN,
                        "the file system is " + type + ": safe only if no other machine mounts it",
                        "use a local disk")
                : SqliteDiagnostics.ok("sqlite.filesystem", "the file system is " + type);
    }

    static Finding permissions(Path file) {
        if (!OwnerOnly.isPosix(file)) {
            return unknown("sqlite.permissions", "this system has no POSIX permissions");
        }
        try {
            Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            others.removeAll(PosixFilePermissions.fromString("rwx------"));
            return others.isEmpty()
                    ? SqliteDiagnostics.ok("sqlite.permissions", "only the owner can use the file")
                    : new Finding(
                            "sqlite.permissions",
                            Level.WARN,
                            "others can use the file (" + others.size() + " permissions): keys and lock ids are in it",
                            "chmod 600, and 700 for its folder, unless it is shared on purpose");
        } catch (IOException e) {
            return unknown("sqlite.permissions", "the permissions could not be read");
        }
    }

    static Finding space(Path file) {
        try {
            long bytes = Files.getFileStore(file).getUsableSpace();
            return bytes >= ENOUGH_BYTES
                    ? SqliteDiagnostics.ok("sqlite.space", (bytes >> 20) + " MiB are free")
                    : new Finding(
                            "sqlite.space",
                            Level.WARN,
                            "only " + (bytes >> 20) + " MiB are free: on a full disk nothing can be locked or released",
                            "make room");
        } catch (IOException e) {
            return unknown("sqlite.space", "the free space could not be read");
        }
    }

    private static Finding unknown(String id, String message) {
        return new Finding(id, Level.UNKNOWN, message, "");
    }
}
