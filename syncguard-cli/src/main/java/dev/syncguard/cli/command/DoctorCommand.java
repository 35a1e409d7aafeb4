package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Printable;
import dev.syncguard.cli.text.Style;
import dev.syncguard.spi.LockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code syncguard doctor}. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = "Looks for settings of the store that break what a lock promises, and says how to fix them.",
        footer = {
            "",
            "Exit codes: 0 ok or warnings, 1 danger. What cannot be known is listed as unknown and does not count."
                    + " With --strict it does, and warnings exit with 1.",
            "",
            "Examples:",
            "  syncguard doctor",
            "  syncguard doctor --backend redis://locks.example --format json"
        })
public final class DoctorCommand implements Callable<Integer> {

    @Option(names = "--strict", description = "What cannot be known is a warning, and a warning exits with 1")
    private boolean strict;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public DoctorCommand() {}

    @Override
    public Integer call() {
        List<Finding> findings;
        try (LockBackend backend = store.open()) {
            findings = inspect(backend).stream().map(DoctorCommand::inItsWords).toList();
        }
        String verdict = verdict(findings);
        if (output.isJson()) {
            output.line(json(verdict, findings));
        } else {
            findings.forEach(this::show);
            output.line("verdict: " + style(verdict).paint(verdict, output.hasColours(1)));
        }
        return ExitCode.of(strict ? verdict.equals("ok") : !verdict.equals("danger"));
    }

    /** A store that cannot be looked at is one whose locks end with its process. */
    private static List<Finding> inspect(LockBackend backend) {
        if (backend.diagnostics().isPresent()) {
            return backend.diagnostics().get().inspect(AbortSignal.none());
        }
        String name = backend.capabilities().backend();
        return List.of(new Finding(
                name + ".diagnostics",
                Level.WARN,
                "this store keeps its locks in one process only",
                "use sqlite: for one machine, redis:// or postgresql:// for several"));
    }

    private static Finding inItsWords(Finding finding) {
        return new Finding(
                finding.id(),
                finding.level(),
                CommandLineText.of(finding.message()),
                CommandLineText.of(finding.fix()));
    }

    /** The worst level. What cannot be known on this store is listed, and says nothing against it, unless it shall. */
    private String verdict(List<Finding> findings) {
        Level worst = Level.OK;
        for (Finding finding : findings) {
            Level unknown = strict ? Level.WARN : Level.OK;
            Level level = finding.level() == Level.UNKNOWN ? unknown : finding.level();
            worst = level.compareTo(worst) > 0 ? level : worst;
        }
        return name(worst);
    }

    private static String name(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static String json(String verdict, List<Finding> findings) {
        List<Json> list = new ArrayList<>();
        for (Finding finding : findings) {
            list.add(new Json()
                    .put("id", finding.id())
                    .put("level", name(finding.level()))
                    .put("message", finding.message())
                    .put("fix", finding.fix()));
        }
        return new Json().put("verdict", verdict).put("findings", list).toString();
    }

    /** What other clients or the server chose, such as a prefix or a setting, may hold anything. */
    private void show(Finding finding) {
        String level = name(finding.level());
        String padding = " ".repeat(9 - level.length());
        output.line(style(level).paint(level, output.hasColours(1)) + padding + finding.id() + ": "
                + Printable.of(finding.message()));
        if (!finding.fix().isEmpty()) {
            output.line("         " + Style.BOLD.paint("fix: ", output.hasColours(1)) + Printable.of(finding.fix()));
        }
    }

    private static Style style(String level) {
        return switch (level) {
            case "ok" -> Style.GOOD;
            case "danger" -> Style.BAD;
            default -> Style.WARN;
        };
    }
}
