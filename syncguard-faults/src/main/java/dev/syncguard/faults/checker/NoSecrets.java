package dev.syncguard.faults.checker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** I11: raw keys and lock ids never reach a log, a message or a text of an object. */
final class NoSecrets implements Invariant {

    /** Every key of the workloads begins so. */
    private static final String KEY = "zq7:";

    private static final Pattern WORD = Pattern.compile("(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])");

    @Override
    public String id() {
        return "I11";
    }

    @Override
    public String promise() {
        return "raw keys and lock ids never appear in logs, messages, toString or events";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Path logs = evidence.logs();
        List<Violation> violations = new ArrayList<>();
        if (logs == null || !Files.isDirectory(logs)) {
            return violations;
        }
        Set<String> ids = evidence.grants().values().stream()
                .flatMap(List::stream)
                .map(Grant::id)
                .collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.sorted().toList()) {
                for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1)) {
                    check(file, line, ids, violations);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return violations;
    }

    private void check(Path file, String line, Set<String> ids, List<Violation> violations) {
        String what = line.contains(KEY) ? "a raw key" : null;
        Matcher words = WORD.matcher(line);
        while (what == null && words.find()) {
            what = ids.contains(hash(words.group())) ? "a lock id" : null;
        }
        if (what != null) {
            violations.add(new Violation(id(), "", 0, 0, what + " in " + file.getFileName(), List.of(line)));
        }
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
