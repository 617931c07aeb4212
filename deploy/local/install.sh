#!/bin/sh
# Installs what the real parts, the browser tests and the history tests need, where it is missing:
# PostgreSQL, Prometheus, Chromium, git, Node.js and a JDK with Maven from the system's packages,
# Kafka's jars from Maven. Debian and Ubuntu; needs root only when something is missing.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

missing=
need() { # program package...
    program=$1
    shift
    command -v "$program" >/dev/null 2>&1 || missing="$missing $*"
}
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
PATH="$PATH:/usr/sbin:/sbin"
need prometheus prometheus
command -v chromium-browser >/dev/null 2>&1 || need chromium chromium
need git git
need node nodejs
need npm npm
need java default-jdk-headless
need mvn maven
need setpriv util-linux

if [ -n "$missing" ]; then
    # Packages of servers start them at once, on ports that may be in use. This is Debian's own
    # way to say no: https://www.debian.org/doc/debian-policy/ch-opersys.html (section 9.3.3.1)
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
        trap 'rm -f "$policy"' EXIT
        trap 'exit 1' INT TERM
    fi
    export DEBIAN_FRONTEND=noninteractive
    # No cluster of its own either; deploy/local makes one where it is told to.
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
        mkdir -p /etc/postgresql-common
        echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    fi
    apt-get update -qq
    # shellcheck disable=SC2086  # one word a package
    apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold $missing
fi

# The jars are fetched again only when the file that names their version has changed.
jars=$root/.cache/kafka
pom=$root/deploy/local/kafka/pom.xml
if ! cmp -s "$pom" "$jars/pom.xml"; then
    rm -rf "$jars"
    mkdir -p "$jars"
    mvn -q -B -f "$pom" dependency:copy-dependencies -DincludeScope=runtime \
        -DoutputDirectory="$jars"
    cp "$pom" "$jars/pom.xml"
fi
