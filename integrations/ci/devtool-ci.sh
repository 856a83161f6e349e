#!/bin/sh
# What the GitHub action, the GitLab component and the pre-commit hooks run: devtool-ci.sh TASK
#
#   deploy    deploys the project and waits
#   preview   deploys the branch of a pull request into a namespace of its own; prints its addresses
#   destroy   destroys that preview
#   goldens   compares the manifests with those that are committed ($DEVTOOL_GOLDEN), and points to the lines that differ
#
# goldens also writes $DEVTOOL_CODEQUALITY, a report of code quality as GitLab reads it, if that is set.
#
# DEVTOOL_PLATFORM (and DEVTOOL_TOKEN) is the platform to use, DEVTOOL_FILE the Compose file or devtool.yml, DEVTOOL_TIMEOUT
# the longest wait. DEVTOOL_REPOSITORY, DEVTOOL_BRANCH and DEVTOOL_SOURCE_URL describe the preview; DEVTOOL_PREVIEW, like
# pr-7, tells it from others of its repository.
set -eu

file=${DEVTOOL_FILE:-}
golden=${DEVTOOL_GOLDEN:-manifests.yaml}
timeout=${DEVTOOL_TIMEOUT:-5m}

# With the token of this job, which is not stored.
if [ -n "${DEVTOOL_PLATFORM:-}" ]; then export DEVTOOL_CONTEXT="$DEVTOOL_PLATFORM"; fi

# All repositories of a platform share the names of previews.
preview_name() {
  repository=$(printf '%s' "${DEVTOOL_REPOSITORY:?}" | tr '[:upper:]' '[:lower:]' | sed 's,/*$,,; s,\.git$,,')
  word=$(printf '%s' "${repository##*/}" | tr -c 'a-z0-9' '-' | sed 's/^[-0-9]*//' | cut -c 1-20 | sed 's/-*$//')
  sum=$(printf '%s' "$repository" | cksum | cut -d ' ' -f 1)
  printf '%s-%s-%s' "${word:-preview}" "$((sum % 10000))" "${DEVTOOL_PREVIEW:?}"
}

# An output of the step, for the jobs that follow.
give() { # NAME VALUE
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}

deploy() {
  devtool deploy ${file:+--file "$file"} --wait --timeout "$timeout" --yes
}

preview() {
  name=$(preview_name)
  give name "$name"
  devtool preview deploy "$name" ${DEVTOOL_BRANCH:+--branch "$DEVTOOL_BRANCH"} \
    --repository "$DEVTOOL_REPOSITORY" ${DEVTOOL_SOURCE_URL:+--sourceUrl "$DEVTOOL_SOURCE_URL"} \
    ${file:+--file "$file"} --wait --timeout "$timeout"
  endpoints=$(devtool preview endpoints "$name" --output json)
  printf '%s\n' "$endpoints"
  give endpoints "$(printf '%s' "$endpoints" | tr -d '\n')"
}

destroy() {
  name=$(preview_name)
  devtool preview destroy "$name"
}

message='the manifests of the project differ here: write them again with devtool deploy --dry-run'

# The lines of the committed manifests at which they differ.
lines_in() { # DIFFERENCE
  sed -n 's/^@@ -\([0-9]*\).*$/\1/p' "$1" | sed 's/^0$/1/'
}

# GitHub shows these lines beside the change; elsewhere the difference alone is shown.
annotate() { # DIFFERENCE
  if [ "${GITHUB_ACTIONS:-}" != true ]; then return; fi
  path=$(printf '%s' "$golden" | sed 's/%/%25/g; s/:/%3A/g; s/,/%2C/g')
  lines_in "$1" | while read -r line; do printf '::error file=%s,line=%s::%s\n' "$path" "$line" "$message"; done
}

# GitLab shows them in the merge request. Equal fingerprints are one finding, in all runs.
report() { # DIFFERENCE
  if [ -z "${DEVTOOL_CODEQUALITY:-}" ]; then return; fi
  path=$(printf '%s' "$golden" | sed 's/[\\"]/\\&/g')
  sum=$(printf '%s' "$golden" | cksum | cut -d ' ' -f 1)
  lines_in "$1" | {
    printf '['
    comma=
    while read -r line; do
      printf '%s\n{"description": "%s", "check_name": "devtool-goldens", "fingerprint": "devtool-goldens-%s-%s", "severity": "major", "location": {"path": "%s", "lines": {"begin": %s}}}' \
        "$comma" "$message" "$sum" "$line" "$path" "$line"
      comma=,
    done
    printf ']\n'
  } >"$DEVTOOL_CODEQUALITY"
}

goldens() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  devtool deploy --dry-run ${file:+--file "$file"} >"$work/actual"
  [ -e "$golden" ] || : >"$work/none"
  before=$golden
  [ -e "$golden" ] || before=$work/none
  status=0
  diff -U0 -L "$golden" -L 'the project' "$before" "$work/actual" >"$work/difference" || status=$?
  cat "$work/difference"
  annotate "$work/difference"
  report "$work/difference"
  return "$status"
}

case ${1:-} in
  deploy | preview | destroy | goldens) "$1" ;;
  *)
    echo "usage: devtool-ci.sh deploy|preview|destroy|goldens" >&2
    exit 2
    ;;
esac
