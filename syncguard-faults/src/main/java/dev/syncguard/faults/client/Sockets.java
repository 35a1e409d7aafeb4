package dev.syncguard.faults.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The open sockets of this process, by the port of the other end and the state; one that was reset has no other end. */
final class Sockets {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final List<Path> TABLES = List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

    /** The JVM has such sockets for purposes of its own. */
    private static final Path LOCAL_TABLE = Path.of("/proc/self/net/unix");

    /** The name resolvers of drivers have these, and close them seconds after their clients. */
    private static final List<Path> DATAGRAM_TABLES =
            List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6"));

    private static final String LOCAL = "local";

    private Sockets() {}

    /** Returns nothing where the system does not tell. */
    static List<String> open() {
        List<String> open = new ArrayList<>();
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            Map<String, String> peers = peers();
            files.map(Sockets::name)
                    .filter(name -> name.startsWith("socket:"))
                    .map(name -> peers.getOrDefault(name, "without a peer"))
                    .filter(peer -> !peer.equals(LOCAL))
                    .sorted()
                    .forEach(open::add);
        } catch (IOException e) {
            return List.of();
        }
        return open;
    }

    private static String name(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Columns: number, local address, other address, state, queues, timer, retransmits, user, timeout, inode. */
    private static Map<String, String> peers() throws IOException {
        Map<String, String> peers = new HashMap<>();
        for (Path table : TABLES) {
            for (String line : Files.readAllLines(table)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 9 && words[2].contains(":") && !words[2].endsWith(":0000")) {
                    int port = Integer.parseInt(words[2].substring(words[2].indexOf(':') + 1), 16);
                    peers.put("socket:[" + words[9] + "]", port + " state " + words[3]);
                }
            }
        }
        for (String line : Files.readAllLines(LOCAL_TABLE)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length > 6) {
                peers.put("socket:[" + words[6] + "]", LOCAL);
            }
        }
        for (Path table : DATAGRAM_TABLES) {
            for (String line : Files.readAllLines(table)) {
                String[] words = line.strip().split("\\s+", -1);
                peers.put("socket:[" + (words.length > 9 ? words[9] : "") + "]", LOCAL);
            }
        }
        return peers;
    }
}
