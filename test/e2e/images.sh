#!/bin/bash
# Makes the images that the tests against a cluster need, of what is in apps/: images.sh MKIMAGE
#
# All are made of the same files, so that a node fetches them once; only the command differs.
set -euo pipefail
mkimage=$1
apps=$(cd "$(dirname "${BASH_SOURCE[0]}")/apps" && pwd)

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
for tag in 8-alpine 8.2-alpine; do image "redis:$tag" serve queue; done
image mariadb:11.8 serve mariadb
image dockersamples/examplevotingapp_vote $(pages vote 80)
image dockersamples/examplevotingapp_result $(pages result 80)
image dockersamples/examplevotingapp_worker worker
"$mkimage" node:22 /bin/busybox "$(command -v node)" -- node
image traefik/whoami:v1.11 /whoami
image wordpress:6.8-apache $(pages wordpress 80)
image opensearchproject/opensearch:2.19.1 $(pages wordpress 9200)
