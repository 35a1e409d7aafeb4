/** Turns figures into pages: statistics, goals and their verdicts, tables and plots. Needs no run. */
@NullMarked
package dev.syncguard.benchmarks.report;

import org.jspecify.annotations.NullMarked;
