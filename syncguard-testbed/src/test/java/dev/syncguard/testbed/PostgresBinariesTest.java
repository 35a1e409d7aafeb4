package dev.syncguard.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {

    @TempDir
    Path directory;

    @Test
    @DisplayName("another user can reach every file, whatever the umask")
    void othersCanReachEveryFile() throws Exception {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PostgresBinariesTest.class.getName(),
                directory.toString());
        List<String> command = Stream.concat(Stream.of("sh", "-c", "umask 077; exec \"$@\"", "sh"), java.stream())
                .toList();
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        try (Stream<Path> files = Files.walk(PostgresBinaries.unpacked(directory))) {
            assertThat(files.filter(file -> !Files.isSymbolicLink(file)))
                    .hasSizeGreaterThan(100)
                    .allMatch(PostgresBinariesTest::isOpen);
        }
    }

    private static boolean isOpen(Path file) {
        try {
            var permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.OTHERS_READ)
                    && (!Files.isDirectory(file) || permissions.contains(PosixFilePermission.OTHERS_EXECUTE));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Unpacks, in a process with a umask of its own. */
    public static void main(String[] args) throws IOException {
        PostgresBinaries.unpacked(Path.of(args[0]));
    }
}
