package dev.syncguard.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the repository that documentation is about. */
final class Documents {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    static final Path GUIDE = ROOT.resolve("docs/guide");

    private static final Set<String> NO_SOURCES = Set.of("target", ".git", ".mvn", "node_modules");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

    private Documents() {}

    /** Returns all files of the repository whose names end so, without what builds make. */
    static List<Path> files(String... endings) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return NO_SOURCES.contains(directory.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (Stream.of(endings).anyMatch(file.toString()::endsWith)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().toList();
    }

    static List<Path> markdown() {
        return files(".md");
    }

    /** Returns the pages whose snippets are run: the README and the guide. */
    static List<Path> pages() {
        return markdown().stream()
                .filter(page -> page.startsWith(GUIDE) || page.equals(ROOT.resolve("README.md")))
                .toList();
    }

    /** Returns the code blocks of a page in one language. */
    static List<String> blocks(Path page, String language) {
        return Pattern.compile("(?ms)^```" + language + "\\R(.*?)^```")
                .matcher(read(page))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** Returns a page's text without code, in which brackets are no links. */
    static String prose(Path page) {
        return CODE.matcher(read(page)).replaceAll("");
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** Returns how a file is called in a report. */
    static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }
}
