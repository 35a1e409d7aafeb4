package dev.syncguard.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The word before every command. */
@Command(
        name = "syncguard",
        description = "Locks for anything that can be started from a shell.",
        versionProvider = Syncguard.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 yes, 1 no, 2 wrong usage, 3 no answer: the store or syncguard itself failed, 75 run did not get"
                    + " the lock, 79 run lost it.",
            "",
            "Examples:",
            "  syncguard demo",
            "  syncguard run nightly-report -- ./report.sh",
            "  syncguard run --backend redis://locks.example deploy --wait 10m -- ./deploy.sh",
            "  syncguard status nightly-report && echo held"
        })
final class Syncguard {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Syncguard.class.getPackage().getImplementationVersion();
            return new String[] {"syncguard " + (version == null ? "(unpackaged)" : version)};
        }
    }
}
