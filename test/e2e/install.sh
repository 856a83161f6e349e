#!/usr/bin/env bash
# Installs a release in a slim Debian, as a user who is not root and reaches the release only through a proxy; runs an example,
# and uninstalls: with curl, by HTTPS, and with wget. Then where there are glibc, libstdc++, curl and busybox and nothing else.
# Then says what musl is told. DEVTOOL_E2E_DEBIAN is what debian.sh wrote before; without it, that is done here.
#   install.sh RELEASE EXAMPLE
set -euo pipefail
release=$(realpath "$1") example=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tmp=$(mktemp -d)
chmod 755 "$tmp"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$tmp"' EXIT

add_files() { # ROOT
  cp test/support/tls/ca.pem "$1/etc/"
  cp "$release/install.sh" "$1/home/me/"
  cp -r "$example" "$1/home/me/example"
  chown -R 1000:1000 "$1/home/me"
}

make_debian() { # FOLDER
  local archive=${DEVTOOL_E2E_DEBIAN:-$tmp/debian.tar}
  if [[ ! -v DEVTOOL_E2E_DEBIAN ]]; then test/e2e/debian.sh "$archive"; fi
  mkdir "$1"
  tar --extract --numeric-owner --file "$archive" --directory "$1"
  as_root "$1" useradd --create-home me
  add_files "$1"
}

# With busybox alone.
make_small() { # FOLDER
  mkdir -p "$1"/{bin,dev,proc,etc,tmp,home/me}
  chmod 1777 "$1/tmp"
  cp "$(PATH=$PATH:/bin type -P busybox)" "$1/bin/busybox"
  local program
  for program in cat cp cut env find grep gzip ls mkdir mktemp mv rm sed sh sha256sum tar uname; do
    ln -s busybox "$1/bin/$program"
  done
  add_files "$1"
}

add_glibc() { # ROOT PROGRAM
  local library
  ldd "$2" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
}

# Mounts end with the last process.
in_root() { # USER:GROUP ROOT COMMAND...
  unshare --mount --pid --fork sh -euc '
    user=$1 root=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    PATH=/usr/sbin:/usr/bin:/sbin:/bin exec chroot --userspec="$user" "$root" "$@"
  ' sh "$@"
}

as_root() { # ROOT COMMAND...
  local root=$1
  shift
  in_root 0:0 "$root" env HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

inside() { # ROOT COMMAND...
  local root=$1
  shift
  in_root 1000:1000 "$root" env -i HOME=/home/me PATH=/home/me/.local/bin:/usr/bin:/bin \
    http_proxy="$PROXY" https_proxy="$PROXY" SSL_CERT_FILE=/etc/ca.pem DEVTOOL_DOWNLOAD_URL=http://releases.invalid/devtool NO_COLOR=1 "$@"
}

uninstall() { # ROOT
  inside "$1" sh /home/me/install.sh --uninstall
  local left
  left=$(find "$1/home/me/.local" -type f)
  [[ -z $left ]] || { echo "left behind: $left"; exit 1; }
  inside "$1" sh -c '! devtool version 2>/dev/null'
}

node test/e2e/apps/release-proxy.cjs "$release" "$tmp/proxy.log" >"$tmp/port" &
for _ in $(seq 100); do [[ -s $tmp/port ]] || sleep 0.1; done
export PROXY
PROXY=http://127.0.0.1:$(<"$tmp/port")

make_debian "$tmp/debian"
# It has nothing to download with.
if inside "$tmp/debian" sh /home/me/install.sh 2>"$tmp/said"; then exit 1; fi
grep -q 'neither curl nor wget is installed' "$tmp/said"
as_root "$tmp/debian" sh -euc '
  apt-get update --quiet
  apt-get install --quiet --yes --no-install-recommends curl wget
  ! command -v node'

# As the settings page of a platform says.
line=$(node --import tsx --input-type=module --eval "
  import { installLine } from './src/domain/platform/releases.ts'
  console.log(installLine('http://releases.invalid/devtool'))")
inside "$tmp/debian" sh -c "cd && rm install.sh && $line"
grep -q 'GET http://releases.invalid/devtool/devtool-.*-linux-.*\.tar\.gz' "$tmp/proxy.log"
inside "$tmp/debian" devtool version -o json
inside "$tmp/debian" sh -c 'cd /home/me/example && devtool deploy --dry-run --file compose.yaml' >"$tmp/actual"
(cd "$example" && node ../../dist/devtool.cjs deploy --dry-run --file compose.yaml) >"$tmp/expected"
[[ -s $tmp/expected ]]
cmp "$tmp/expected" "$tmp/actual"
uninstall "$tmp/debian"

inside "$tmp/debian" sh -c 'DEVTOOL_DOWNLOAD_URL=https://builder.example.com/devtool sh /home/me/install.sh'
grep -q 'GET https://builder.example.com/devtool/devtool-.*\.tar\.gz' "$tmp/proxy.log"
uninstall "$tmp/debian"

# Something else than what was released is not installed.
sed 's/^[0-9a-f]\{64\}/'"$(printf '0%.0s' {1..64})"'/' "$release/install.sh" >"$tmp/debian/tmp/other.sh"
if inside "$tmp/debian" sh /tmp/other.sh 2>"$tmp/said"; then exit 1; fi
grep -q 'instead of 0000.*: nothing was installed' "$tmp/said"
[[ ! -e $tmp/debian/home/me/.local/bin/devtool ]]

as_root "$tmp/debian" dpkg --purge curl
inside "$tmp/debian" sh /home/me/install.sh
inside "$tmp/debian" devtool version
uninstall "$tmp/debian"

make_small "$tmp/small"
cp -L "$(type -P curl)" "$tmp/small/bin/curl"
add_glibc "$tmp/small" "$tmp/small/bin/curl"
add_glibc "$tmp/small" "$release/image/devtool"
inside "$tmp/small" sh /home/me/install.sh
inside "$tmp/small" devtool version
uninstall "$tmp/small"

make_small "$tmp/musl"
mkdir "$tmp/musl/lib"
touch "$tmp/musl/lib/ld-musl-x86_64.so.1"
if inside "$tmp/musl" sh /home/me/install.sh 2>"$tmp/said"; then exit 1; fi
image=$(sed -n "s/^image='\(.*\)'$/\1/p" "$release/install.sh")
[[ -n $image ]] || { echo 'the release was made without RELEASE_IMAGE'; exit 1; }
grep -F "this system has musl, and devtool needs glibc: use the container image $image, or npm with a Node for musl" "$tmp/said"
echo 'installed, run and uninstalled'
