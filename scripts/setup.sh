#!/bin/sh
# Makes .venv with everything in it, and installs what the system lacks when we may.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; }
}

# Packages are named as the system's own manager names them; $1 is what we miss, for the message.
install_system() {
    if ! may_install; then
        say "missing: $*. Install it with your package manager (Debian: apt-get install $*), then run make again."
        return 1
    fi
    say "installing $*"
    if command -v apt-get >/dev/null 2>&1; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    elif command -v dnf >/dev/null 2>&1; then
        as_root dnf install -y -q "$@"
    elif command -v apk >/dev/null 2>&1; then
        as_root apk add --quiet "$@"
    elif command -v pacman >/dev/null 2>&1; then
        as_root pacman -S --noconfirm --needed "$@"
    else
        say "no known package manager here: install $* yourself, then run make again."
        return 1
    fi
}

python=""
for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    say "Python 3.11 or newer is needed and was not found. Install it, or name it: make PYTHON=/path/to/python3"
    exit 1
fi

# The sandbox and Node are needed by parts of the work only: without them the rest goes on,
# and `sdkbench doctor` says what is missing.
[ "$(uname -s)" != Linux ] || command -v bwrap >/dev/null 2>&1 || install_system bubblewrap || true
command -v npm >/dev/null 2>&1 || install_system nodejs npm || true

# `sdkbench validate` runs tests on another day by it, and says so where it is missing.
[ "$(uname -s)" != Linux ] || [ -n "$(ls -d /usr/lib*/faketime /usr/lib/*/faketime 2>/dev/null)" ] ||
    install_system faketime || true

# Compilers are large, and each is needed by the tests of its own language only, which skip without
# it: they are taken from Debian's packages where those are new enough, and else named.
# LANGUAGES="" leaves all of them out.
candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *//p'; }

new_enough() { # package, oldest version
    version=$(candidate "$1")
    [ -n "$version" ] && [ "$version" != "(none)" ] &&
        dpkg --compare-versions "$(printf %s "$version" | sed 's/^[0-9]*://')" ge "$2"
}

install_language() { # name, the package that tells its age, the oldest that will do, all packages
    name=$1 teller=$2 oldest=$3
    shift 3
    if command -v apt-get >/dev/null 2>&1 && may_install; then
        [ -n "$(candidate "$teller")" ] || as_root apt-get update -qq || true
        if new_enough "$teller" "$oldest" && install_system "$@"; then return; fi
    fi
    say "no $name: its tests will skip, and sdkbench doctor says how to get it."
}

for language in ${LANGUAGES-go rust java}; do
    case $language in
        go) command -v go >/dev/null 2>&1 ||
            install_language Go golang-go 1.21 golang-go ;;
        rust) command -v cargo >/dev/null 2>&1 ||
            install_language Rust rustc 1.82 cargo rustc gcc libc6-dev ;;
        java) { command -v javac && command -v mvn; } >/dev/null 2>&1 ||
            install_language Java default-jdk-headless 1.11 default-jdk-headless maven ;;
        *) say "no language $language: there are go, rust, java" ;;
    esac
done

# The tests of the store start a PostgreSQL server of their own, and skip where there is none to
# start. Debian keeps its programs out of the PATH. POSTGRES=no leaves it out.
has_postgres() {
    command -v postgres >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1
}
if [ "${POSTGRES-yes}" != no ] && ! has_postgres; then
    postgres=postgresql
    ! command -v dnf >/dev/null 2>&1 || postgres=postgresql-server
    install_system "$postgres" || say "no PostgreSQL: the store's tests on it will skip."
fi

# The tests of reports and of the viewer open them in a browser, and skip without one.
# BROWSER=no leaves it out.
has_chromium() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        ! command -v "$name" >/dev/null 2>&1 || return 0
    done
    return 1
}
if [ "${BROWSER-yes}" != no ] && ! has_chromium; then
    install_system chromium || say "no Chromium: the tests of reports in a browser will skip."
fi

# Debian splits venv's ensurepip into a package of its own.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    install_system "$("$python" -c 'import sys; print(f"python3.{sys.version_info.minor}-venv")')" ||
        install_system python3-venv
fi

# Companies bring certificates of their own: trust what the system trusts, where it says.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1

[ -x .venv/bin/python ] || "$python" -m venv .venv
say "installing sdkbench and its tools into .venv"
.venv/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5.20'
# The versions that all tests passed with (`make versions` writes them anew). Where they don't fit
# this Python, or with VERSIONS=newest, the newest are taken.
install() { .venv/bin/uv pip install --quiet --python .venv/bin/python "$@" -e '.[dev]'; }
if [ "${VERSIONS-known}" = newest ]; then
    install --upgrade
elif ! install --constraints scripts/versions.txt; then
    say "those versions don't fit here: taking the newest"
    install
fi
say "done: .venv/bin/sdkbench"
