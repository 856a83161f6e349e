#!/usr/bin/env bash
# Installs a release in a root that has glibc, libstdc++, curl and busybox and nothing else, as a user who is not root and
# reaches the release only through a proxy; runs an example, and uninstalls. Then again by HTTPS, and with wget and the shell,
# tar and sed of Debian. Then says what musl is told.
#   install.sh RELEASE EXAMPLE
set -euo pipefail
release=$(realpath "$1") example=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tmp=$(mktemp -d)
chmod 755 "$tmp"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$tmp"' EXIT

programs='sh cat cp cut find grep gzip ls mkdir mktemp mv rm sed sha256sum tar uname'

make_root() { # FOLDER
  mkdir -p "$1"/{bin,dev,proc,etc,tmp,home/me}
  chmod 1777 "$1/tmp"
  cp "$(PATH=$PATH:/bin type -P busybox)" "$1/bin/busybox"
  local program
  for program in $programs; do ln -s busybox "$1/bin/$program"; done
  cp test/support/tls/ca.pem "$1/etc/"
  cp "$release/install.sh" "$1/home/me/"
  cp -r "$example" "$1/home/me/example"
  chown -R 65534:65534 "$1/home/me"
}

add_glibc() { # ROOT PROGRAM
  local library
  ldd "$2" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
}

add_program() { # ROOT PROGRAM
  rm -f "$1/bin/$2"
  cp -L "$(type -P "$2")" "$1/bin/$2"
  add_glibc "$1" "$1/bin/$2"
}

# Mounts end with the last process.
inside() { # ROOT COMMAND...
  local root=$1
  shift
  unshare --mount --pid --fork sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    exec chroot --userspec=65534:65534 "$root" /bin/busybox env -i HOME=/home/me PATH=/home/me/.local/bin:/bin \
      http_proxy="$PROXY" https_proxy="$PROXY" SSL_CERT_FILE=/etc/ca.pem DEVTOOL_DOWNLOAD_URL=http://releases.invalid/devtool NO_COLOR=1 "$@"
  ' sh "$root" "$@"
}

node test/e2e/apps/release-proxy.cjs "$release" "$tmp/proxy.log" >"$tmp/port" &
for _ in $(seq 100); do [[ -s $tmp/port ]] || sleep 0.1; done
export PROXY
PROXY=http://127.0.0.1:$(<"$tmp/port")

make_root "$tmp/root"
add_program "$tmp/root" curl
add_glibc "$tmp/root" "$release/image/devtool"
inside "$tmp/root" sh -c '! devtool version 2>/dev/null'
# As the settings page of a platform says.
line=$(node --import tsx --input-type=module --eval "
  import { installLine } from './src/domain/platform/releases.ts'
  console.log(installLine('http://releases.invalid/devtool'))")
inside "$tmp/root" sh -c "cd && rm install.sh && $line"
grep -q 'GET http://releases.invalid/devtool/devtool-.*-linux-.*\.tar\.gz' "$tmp/proxy.log"

inside "$tmp/root" devtool version -o json
inside "$tmp/root" sh -c 'cd /home/me/example && devtool deploy --dry-run --file compose.yaml' >"$tmp/actual"
(cd "$example" && node ../../dist/devtool.cjs deploy --dry-run --file compose.yaml) >"$tmp/expected"
[[ -s $tmp/expected ]]
cmp "$tmp/expected" "$tmp/actual"

inside "$tmp/root" sh /home/me/install.sh --uninstall
left=$(find "$tmp/root/home/me/.local" -type f)
[[ -z $left ]] || { echo "left behind: $left"; exit 1; }
inside "$tmp/root" sh -c '! devtool version 2>/dev/null'

inside "$tmp/root" sh -c 'DEVTOOL_DOWNLOAD_URL=https://builder.example.com/devtool sh /home/me/install.sh'
grep -q 'GET https://builder.example.com/devtool/devtool-.*\.tar\.gz' "$tmp/proxy.log"
inside "$tmp/root" sh /home/me/install.sh --uninstall

make_root "$tmp/debian"
for program in wget $programs; do add_program "$tmp/debian" "$program"; done
add_glibc "$tmp/debian" "$release/image/devtool"
inside "$tmp/debian" /bin/sh /home/me/install.sh
inside "$tmp/debian" devtool version
inside "$tmp/debian" /bin/sh /home/me/install.sh --uninstall
left=$(find "$tmp/debian/home/me/.local" -type f)
[[ -z $left ]] || { echo "left behind: $left"; exit 1; }

# Something else than what was released is not installed.
sed -i 's/^[0-9a-f]\{64\}/'"$(printf '0%.0s' {1..64})"'/' "$tmp/root/home/me/install.sh"
if inside "$tmp/root" sh /home/me/install.sh 2>"$tmp/said"; then exit 1; fi
grep -q 'instead of 0000.*: nothing was installed' "$tmp/said"
[[ ! -e $tmp/root/home/me/.local/bin/devtool ]]

make_root "$tmp/musl"
mkdir "$tmp/musl/lib"
touch "$tmp/musl/lib/ld-musl-x86_64.so.1"
if inside "$tmp/musl" sh /home/me/install.sh 2>"$tmp/said"; then exit 1; fi
grep 'this system has musl, and devtool needs glibc: use .*npm with a Node for musl' "$tmp/said"
echo 'installed, run and uninstalled'
