# Sourced by mvnw, and no part of the original: where Maven and its downloads are kept when HOME is not set, does not
# exist, or belongs to another user. A JVM does not look at HOME but into the user database, which may know no home.

# Whether a directory has, or can get, a .m2 that this user may write to.
can_hold_m2() {
  case "$1" in
  /*) ;;
  *) return 1 ;;
  esac
  if [ -e "$1/.m2" ]; then
    [ -d "$1/.m2" ] && [ -w "$1/.m2" ]
  else
    [ -d "$1" ] && [ -w "$1" ]
  fi
}

# Prints the home directory of the user database, or nothing.
database_home() {
  user="$(id -un 2>/dev/null)" || return 0
  case "$user" in
  '' | *[!A-Za-z0-9._-]*) ;;
  *) eval "printf '%s\\n' ~$user" ;;
  esac
}

# Arguments: the home directory of the user database, the directory of the project. Sets MAVEN_USER_HOME, and
# MVNW_REPOSITORY where Maven's own choice of a local repository would fail.
choose_maven_user_home() {
  MVNW_REPOSITORY=
  for candidate in "${HOME-}" "$1" "$2"; do
    [ -z "${MAVEN_USER_HOME-}" ] || break
    ! can_hold_m2 "$candidate" || MAVEN_USER_HOME="$candidate/.m2"
  done
  if [ -z "${MAVEN_USER_HOME-}" ]; then
    echo "There is no directory for Maven: neither the home directory nor the project can be written to." >&2
    echo "Set MAVEN_USER_HOME to a directory that can." >&2
    return 1
  fi
  can_hold_m2 "$1" || MVNW_REPOSITORY="$MAVEN_USER_HOME/repository"
}
