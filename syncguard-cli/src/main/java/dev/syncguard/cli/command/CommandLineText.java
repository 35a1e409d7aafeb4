package dev.syncguard.cli.command;

import dev.syncguard.cli.store.StoreSetting;
import java.util.regex.Pattern;

/** Says in words of the command line what the library says in words of Java. */
public final class CommandLineText {

    private static final String SCHEMA = "syncguard schema postgresql | psql";

    private static final Pattern OTHER_TABLES = Pattern.compile(
            "run PostgresSchema\\.create or schema\\.sql for \"(\\w+)\"\\.\"(\\w+)\" and \"\\w+\"\\.\"(\\w+)\"");

    /** What this begins with names parameters, not options. */
    private static final String ABOUT_URLS = "unknown parameter in the URL";

    private CommandLineText() {}

    /**
     * Translates a message or the fix of a finding.
     *
     * @param text from the library
     * @return with commands and options in place of classes and methods
     */
    public static String of(String text) {
        String said = OTHER_TABLES
                .matcher(text)
                .replaceAll("syncguard schema postgresql --schema $1 --lock-table $2 --counter-table $3 | psql")
                .replace("run PostgresSchema.create or schema.sql", SCHEMA)
                .replace(
                        "create it with PostgresSchema.create(dataSource, names) or with schema.sql, and see"
                                + " PostgresSchema.check",
                        "create it with " + SCHEMA)
                .replace("see the GRANTs in schema.sql", "syncguard schema postgresql --role ROLE prints the GRANTs")
                .replace("FenceMode.TIME_FLOORED", "--fence-mode time-floored")
                .replace("keyPrefix", "--prefix")
                .replace("'fence raise'", "'syncguard fence raise'");
        if (said.contains(ABOUT_URLS)) {
            return said;
        }
        for (StoreSetting setting : StoreSetting.values()) {
            boolean isWordOfJava = !setting.parameter().equals(setting.entry());
            if (isWordOfJava && said.contains(setting.parameter())) {
                said = Pattern.compile("(?<!in URLs )\\b" + setting.parameter() + "\\b")
                        .matcher(said)
                        .replaceAll("--" + setting.entry());
            }
        }
        return said;
    }
}
