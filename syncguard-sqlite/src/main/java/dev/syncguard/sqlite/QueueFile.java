package dev.syncguard.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * A file in which processes take turns, of the queue ({@link PlaceFile}) or of the opening ({@link OpeningTurn}): created like
 * the lock file beside it, and opened only if it is a plain file, no link, and made by a user who may write the lock file
 * anyway. In a folder that others can write, it could else be a trap: writing into what it links to, or memory that its owner
 * cuts off.
 */
final class QueueFile {

    private final Path path;
    private final Path database;
    private final long length;

    private QueueFile(Path path, Path database, long length) {
        this.path = path;
        this.database = database;
        this.length = length;
    }

    /** Opens the file, which is never longer than the length, and creates it if it is missing. */
    static FileChannel open(Path path, Path database, long length) throws IOException {
        return new QueueFile(path, database, length).open();
    }

    private FileChannel open() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) && OwnerOnly.createNew(path) && OwnerOnly.isPosix(path)) {
            share();
        }
        Object before = checkedKey();
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            if (!Objects.equals(before, checkedKey())) {
                throw new IOException("it was replaced while it was opened");
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Gives it to the users of the lock file, as SQLite does with the files beside it; only root can change the owner. */
    private void share() throws IOException {
        PosixFileAttributes like = Files.readAttributes(database, PosixFileAttributes.class);
        PosixFileAttributeView made =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            if (!isForAll(like.permissions())) {
                made.setGroup(like.group());
            }
            if (TrustedFile.isRoot(path)) {
                made.setOwner(like.owner());
            }
            made.setPermissions(like.permissions());
        } catch (FileSystemException e) {
            // It stays for this user alone; the others say so when they meet it.
        }
    }

    private static boolean isForAll(Set<PosixFilePermission> permissions) {
        return permissions.contains(PosixFilePermission.OTHERS_READ)
                && permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }

    /** What tells it from another file, if it may be used. */
    private Object checkedKey() throws IOException {
        BasicFileAttributes attributes = TrustedFile.require(path, database);
        TrustedFile.require(attributes.size() <= length, "it has other content");
        if (OwnerOnly.isPosix(path)) {
            Set<PosixFilePermission> own = Files.readAttributes(
                            path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .permissions();
            boolean isNarrow = Files.getPosixFilePermissions(database).containsAll(own);
            TrustedFile.require(isNarrow, "its permissions are wider than the lock file's");
        }
        return Objects.requireNonNullElse(attributes.fileKey(), path);
    }
}
