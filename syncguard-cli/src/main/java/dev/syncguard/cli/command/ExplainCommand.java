package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.JsonString;
import dev.syncguard.cli.text.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard explain}. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "Shows what becomes of a key: its normal form, the hash that logs and telemetry show, and where each store"
                    + " keeps its lock and its fence counter.",
            "No store is contacted."
        },
        footer = {
            "",
            "Exit codes: 0, or 2 if a key is not allowed.",
            "",
            "Examples:",
            "  syncguard explain invoice:42",
            "  syncguard explain invoice:42 --prefix billing --format json",
            "  jq '.keys[]' keys.json | syncguard explain --stdin --format json"
        })
public final class ExplainCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", arity = "0..*", description = "Keys")
    private List<String> keys = List.of();

    @Option(names = "--stdin", description = "Read keys from standard input, one JSON string on each line")
    private boolean stdin;

    @Option(names = "--prefix", paramLabel = "P", description = "Key prefix on Redis. Default: syncguard")
    private String prefix = "syncguard";

    @Mixin
    private Output output = new Output();

    private boolean allValid = true;

    /** Made by picocli. */
    public ExplainCommand() {}

    @Override
    public Integer call() throws IOException {
        if (keys.isEmpty() && !stdin) {
            throw new LockException(Code.INVALID_ARGUMENT, "give keys, or --stdin");
        }
        for (String key : keys) {
            explain(key);
        }
        if (stdin) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    explain(JsonString.parse(line));
                }
            }
        }
        return allValid ? ExitCode.YES : ExitCode.USAGE;
    }

    private void explain(String key) {
        Explanation explanation = Explanation.of(key, prefix);
        allValid &= explanation.isValid();
        Json json = explanation.json();
        output.line(output.isJson() ? json.toString() : explanation.text(output.hasColours(1)));
    }
}
