#!/bin/sh
# Installs devtool @VERSION@ for the current user, or takes it away again:
#   sh install.sh
#   sh install.sh --uninstall
# DEVTOOL_INSTALL_DIR is where to, ~/.local by default, and DEVTOOL_DOWNLOAD_URL where from, the address of the release by
# default. Nothing needs root. The download goes through the proxy of https_proxy, and is used only when it has the
# checksum that is written down here.
set -eu

version='@VERSION@'
address=${DEVTOOL_DOWNLOAD_URL:-'@URL@'}
image='@IMAGE@'
sums='
@SUMS@
'

say() { printf '%s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

prefix=${DEVTOOL_INSTALL_DIR:-${HOME:?HOME is not set}/.local}

# What was installed, so that nothing of another program is removed.
list=$prefix/share/doc/devtool/installed.txt

remove() { # reads paths below the prefix
  while read -r path; do rm -f "$prefix/$path"; done
}

uninstall() {
  [ -e "$list" ] || fail "there is no devtool in $prefix that was installed by this script"
  remove <"$list"
  rm -rf "$prefix/share/doc/devtool"
  cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  if [ -n "$cache" ]; then rm -rf "$cache/devtool"; fi
  say "devtool is no longer in $prefix; its contexts and settings in ${DEVTOOL_HOME:-~/.devtool} are kept"
}

is_musl() {
  for loader in /lib/ld-musl-*; do
    if [ -e "$loader" ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] && ! [ -e /lib/ld-linux-aarch64.so.1 ]; then return 0; fi
  done
  return 1
}

platform() {
  case $(uname -s) in
    Linux)
      if is_musl; then
        fail "this system has musl, and devtool needs glibc: use ${image:+the container image $image, or }npm with a Node for musl"
      fi
      os=linux
      ;;
    Darwin) os=darwin ;;
    *) fail "there is no devtool for $(uname -s) here; Windows has a zip archive and Scoop" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no devtool for $(uname -m): use npm" ;;
  esac
}

download() { # ADDRESS FILE
  if has curl; then
    curl --fail --silent --show-error --location --retry 3 --connect-timeout 20 --output "$2" "$1"
  elif has wget; then
    wget -q -T 20 -O "$2" "$1"
  else
    fail 'neither curl nor wget is installed'
  fi
}

sha256() { # FILE
  if has sha256sum; then
    sha256sum "$1"
  elif has shasum; then
    shasum -a 256 "$1"
  else
    fail 'neither sha256sum nor shasum is installed'
  fi
}

install() {
  platform
  archive=devtool-$version-$os-$arch.tar.gz
  expected=$(printf '%s' "$sums" | sed -n "s/^\([0-9a-f]*\)  $archive\$/\1/p")
  [ -n "$expected" ] || fail "nothing is known of $archive"
  mkdir -p "$prefix/bin"
  # Beside its place, so that it moves there in one step.
  work=$(mktemp -d "$prefix/bin/.devtool-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  say "downloading $address/$archive"
  download "$address/$archive" "$work/$archive" || fail "$address/$archive cannot be downloaded"
  actual=$(sha256 "$work/$archive" | cut -d ' ' -f 1)
  [ "$actual" = "$expected" ] || fail "$archive has the checksum $actual instead of $expected: nothing was installed"
  mkdir "$work/files"
  tar -xzf "$work/$archive" -C "$work/files"
  # It is not signed, and macOS runs no program without a signature on Apple silicon.
  if [ "$os" = darwin ] && has codesign; then codesign --force --sign - "$work/files/bin/devtool"; fi
  ran=$("$work/files/bin/devtool" version 2>&1) || fail "it does not run here: $ran"
  tar -tzf "$work/$archive" | sed -n 's|^\./||; /[^/]$/p' >"$work/list"
  # Files of an earlier version that this one does not have.
  if [ -e "$list" ]; then grep -vxF -f "$work/list" "$list" | remove; fi
  mkdir -p "$prefix/share/doc/devtool"
  mv -f "$work/list" "$list"
  cp -R "$work/files/share/." "$prefix/share/"
  mv -f "$work/files/bin/devtool" "$prefix/bin/devtool"
  say "devtool $ran is $prefix/bin/devtool"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

case ${1:-} in
  '') install ;;
  --uninstall) uninstall ;;
  *) fail "unknown argument $1; there is --uninstall" ;;
esac
