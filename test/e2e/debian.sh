#!/usr/bin/env bash
# Writes the root of a slim Debian, of this machine's release and fetched from where its apt fetches packages: debian.sh FILE.tar
set -euo pipefail
target=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
keys=/usr/share/keyrings/debian-archive-keyring.gpg

# Those of other vendors are left out. It only knows of sources whose lists are there.
sources() {
  apt-get indextargets --format "deb [signed-by=$keys] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' |
    grep -E " $codename(-updates|-security)? main\$" | sort -u
}
sources >"$tmp/sources.list" || { apt-get update --quiet && sources >"$tmp/sources.list"; }
# How this machine reaches them: mmdebstrap does not read its configuration.
apt-config dump | grep -iE '^Acquire::(https?|check-|retries)' >"$tmp/apt.conf" || true

# What the official slim images leave out.
slim=()
for folder in doc info locale man; do slim+=("--dpkgopt=path-exclude=/usr/share/$folder/*"); done
slim+=('--dpkgopt=path-include=/usr/share/doc/*/copyright')
mmdebstrap --quiet --variant=minbase "--aptopt=$tmp/apt.conf" "${slim[@]}" "$codename" "$target" "$tmp/sources.list"
