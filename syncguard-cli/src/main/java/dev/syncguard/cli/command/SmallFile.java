package dev.syncguard.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text that an operator wrote: UTF-8, of at most 64 KiB, whatever the file is in truth. */
final class SmallFile {

    private static final int LONGEST = 65_536;

    private SmallFile() {}

    /** Returns its lines, without the mark that some editors begin a file with; null if it is too long. */
    static @Nullable List<String> lines(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            byte[] bytes = content.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                return null;
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return (text.startsWith("\uFEFF") ? text.substring(1) : text)
                    .lines()
                    .toList();
        }
    }
}
