package dev.syncguard.cli.run;

/** What bash does for this program: signals to process groups and a look at the process table, which the JDK lacks. */
final class ShellText {

    /**
     * Functions that act on the command, whose process id is {@code $pid}. A group may not exist yet when a signal comes
     * early ({@code setsid} has not run): then the signal goes to the process itself.
     *
     * <p>{@code members} finds what is alive of the command: its session, all descendants, and their sessions, also after
     * the command itself has gone. It reads {@code /proc}: {@code pkill} is often missing in containers. That takes a while
     * where there are many processes or little time, so {@code end} stops the command first: it does nothing more from the
     * moment that its lease ends.
     */
    private static final String FUNCTIONS = """
            send() { kill -s "$1" -- "-$pid" || kill -s "$1" "$pid"; }
            fields() {
              local line=
              IFS= read -r -d "" line < "/proc/$1/stat"
              fields=(${line##*) })
            }
            members() {
              local stat one before= found=" $pid "
              while [ "$found" != "$before" ]; do
                before=$found
                for stat in /proc/[0-9]*; do
                  one=${stat#/proc/}
                  case "$found" in *" $one "*) continue ;; esac
                  fields "$one"
                  case "$found" in *" ${fields[1]:-none} "* | *" ${fields[3]:-none} "*) found="$found$one " ;; esac
                done
              done
              alive=
              for one in $found; do
                fields "$one"
                if [ "${fields[0]:-Z}" != Z ]; then alive="$alive $one"; fi
              done
            }
            end() {
              send STOP
              for _ in 1 2 3 4 5 6 7 8 9 10; do
                members
                send KILL
                if [ -n "$alive" ]; then
                  kill -s KILL $alive
                elif [ -r /proc/self/stat ]; then
                  break
                else
                  pkill -KILL -s "$pid"
                fi
                sleep 0.1
              done
            }
            """;

    /** Sends one signal to the command and ends. */
    static final String ONCE = FUNCTIONS + """
            pid=$2
            if [ "$1" = KILL ]; then end; else send "$1"; fi
            """;

    /** The watchdog. Gets the grace period and the longest time between two lines in milliseconds. */
    static final String WATCHDOG = "trap '' HUP INT QUIT TERM TSTP USR1 USR2\n" + FUNCTIONS + """
            orphan() {
              for _ in 1 2 3 4 5 6 7 8 9 10; do
                for pid in $(grep -lzxF -f <(echo "$entry") /proc/[0-9]*/environ); do
                  pid=${pid#/proc/}
                  pid=${pid%/environ}
                  send KILL
                done
                sleep 0.1
              done
              exit
            }
            seconds() {
              if [ "${BASH_VERSINFO[0]}" -ge 4 ]; then
                printf -v time '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
              else
                time=$((($1 + 999) / 1000))
              fi
            }
            if setpriv --pdeathsig TERM true; then echo pdeathsig; else echo ready; fi
            read -r word entry || exit
            if [ "$word" = done ]; then exit; fi
            read -r pid left || orphan
            if [ "$pid" = done ]; then exit; fi
            while
              seconds "$left"
              read -r -t "$time" word next
              status=$?
              [ "$status" -eq 0 ]
            do
              left=$next
              case "$word" in
                done) exit ;;
                left) ;;
                *) send "$word" ;;
              esac
            done
            if [ "$status" -le 128 ]; then
              send TERM
              left=$((left - $2))
              if [ "$left" -gt "$1" ]; then left=$1; fi
              if [ "$left" -gt 0 ]; then
                seconds "$left"
                sleep "$time"
              fi
            fi
            end
            """;

    private ShellText() {}
}
