package dev.syncguard.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * What a file beside the lock file must be: a plain file, no link, and made by a user who may write the lock file anyway. In a
 * folder that others can write, it could else be a trap.
 */
final class TrustedFile {

    private TrustedFile() {}

    /**
     * Looks at a file, not at what it may link to.
     *
     * @return its attributes
     * @throws IOException with the reason if it is not to be trusted
     */
    static BasicFileAttributes require(Path path, Path database) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        require(attributes.isRegularFile(), "it is a link, a folder or a device");
        if (OwnerOnly.isPosix(path)) {
            require(isOfUser(path, database), "its owner is not one of the lock file's users");
            require(
                    (Integer) Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS) == 1,
                    "it has hard links");
        }
        return attributes;
    }

    private static boolean isOfUser(Path path, Path database) throws IOException {
        PosixFileAttributes own = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes like = Files.readAttributes(database, PosixFileAttributes.class);
        Set<PosixFilePermission> sharing = like.permissions();
        return own.owner().equals(like.owner())
                || isRoot(path)
                || sharing.contains(PosixFilePermission.OTHERS_WRITE)
                || (sharing.contains(PosixFilePermission.GROUP_WRITE)
                        && (own.group().equals(like.group()) || isMine(own.owner())));
    }

    /** A member of the group whose files have another one. */
    private static boolean isMine(UserPrincipal owner) {
        return owner.getName().equals(System.getProperty("user.name"));
    }

    static boolean isRoot(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) == 0;
    }

    static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }
}
