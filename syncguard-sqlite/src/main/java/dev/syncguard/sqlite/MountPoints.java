package dev.syncguard.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where something is mounted, as Linux tells it; on other systems nowhere.
 *
 * <p>A container can be given a single file of the host. That is the same file in two folders: like a hard link, but without
 * the link count that tells of one.
 */
final class MountPoints {

    private static final Path LIST = Path.of("/proc/self/mountinfo");

    private MountPoints() {}

    /** Whether a real path is a mount point. */
    static boolean contains(Path real) {
        try {
            String list = new String(Files.readAllBytes(LIST), StandardCharsets.UTF_8);
            String escaped = escaped(real.toString());
            return list.lines()
                    .map(line -> line.split(" ", 6))
                    .anyMatch(fields -> fields.length > 4 && fields[4].equals(escaped));
        } catch (IOException e) {
            return false;
        }
    }

    /** The characters that the list writes as octal numbers, because they end fields and lines there. */
    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
