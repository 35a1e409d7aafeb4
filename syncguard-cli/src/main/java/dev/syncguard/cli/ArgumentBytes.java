package dev.syncguard.cli;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses arguments that the JVM changed when it decoded them: it replaces what is not text in its locale, so that
 * different keys would become one, and a command would get other arguments than it was given.
 */
final class ArgumentBytes {

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\uFFFD';

    private ArgumentBytes() {}

    /** Throws unless all arguments arrived as they were given. */
    static void check(String... args) {
        boolean allAscii = Arrays.stream(args).allMatch(arg -> arg.chars().allMatch(c -> c < 128));
        if (allAscii) {
            return;
        }
        List<byte[]> given = given(args.length);
        for (int i = 0; i < args.length; i++) {
            boolean intact = given == null
                    ? args[i].indexOf(REPLACEMENT) < 0
                    : Arrays.equals(args[i].getBytes(StandardCharsets.UTF_8), given.get(i));
            if (!intact) {
                throw new LockException(
                        Code.INVALID_ARGUMENT,
                        "argument " + (i + 1) + " is not text in UTF-8 and would arrive changed; nothing was done");
            }
        }
    }

    /** The last arguments of this process as they are; null where the system does not show them. */
    private static @Nullable List<byte[]> given(int count) {
        byte[] all;
        try {
            all = Files.readAllBytes(COMMAND_LINE);
        } catch (IOException e) {
            return null;
        }
        List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                words.add(Arrays.copyOfRange(all, start, i));
                start = i + 1;
            }
        }
        return words.size() < count ? null : words.subList(words.size() - count, words.size());
    }
}
