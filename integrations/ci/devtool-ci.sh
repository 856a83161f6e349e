#!/bin/sh
# What the GitHub action, the GitLab component and the pre-commit hooks run: devtool-ci.sh TASK [FILE [GOLDEN]]
#
#   deploy    deploys the project and waits
#   preview   deploys the branch of a pull request into a namespace of its own; prints its addresses
#   destroy   destroys that preview
#   goldens   compares the manifests with the golden file, or folder, $DEVTOOL_GOLDEN, and points to the lines behind what differs
#
# goldens also writes $DEVTOOL_CODEQUALITY, a report of code quality as GitLab reads it, if that is set.
#
# FILE and GOLDEN are used in place of $DEVTOOL_FILE and $DEVTOOL_GOLDEN.
#
# DEVTOOL_PLATFORM (and DEVTOOL_TOKEN) is the platform to use, DEVTOOL_FILE the Compose file or devtool.yml, DEVTOOL_TIMEOUT
# the longest wait. DEVTOOL_REPOSITORY, DEVTOOL_BRANCH and DEVTOOL_SOURCE_URL describe the preview; DEVTOOL_PREVIEW, like
# pr-7, tells it from others of its repository.
set -eu

file=${2:-${DEVTOOL_FILE:-}}
golden=${3:-${DEVTOOL_GOLDEN:-manifests.yaml}}
timeout=${DEVTOOL_TIMEOUT:-5m}

# All repositories of a platform share the names of previews.
preview_name() {
  repository=$(printf '%s' "${DEVTOOL_REPOSITORY:?is the address of the repository, and is not set}" | tr '[:upper:]' '[:lower:]' | sed 's,/*$,,; s,\.git$,,')
  word=$(printf '%s' "${repository##*/}" | tr -c 'a-z0-9' '-' | sed 's/^[-0-9]*//' | cut -c 1-20 | sed 's/-*$//')
  sum=$(printf '%s' "$repository" | cksum | cut -d ' ' -f 1)
  printf '%s-%s-%s' "${word:-preview}" "$((sum % 10000))" "${DEVTOOL_PREVIEW:?tells a preview from others of its repository, like pr-7, and is not set}"
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

# As a word that a shell reads.
quoted() {
  case $1 in
    *[!A-Za-z0-9_./-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
  esac
}

# What accepts a difference.
update_command() {
  printf 'devtool deploy --dry-run'
  if [ -n "$file" ]; then printf ' --file %s' "$(quoted "$file")"; fi
  if [ -n "${DEVTOOL_NAME:-}" ]; then printf ' --name %s' "$(quoted "$DEVTOOL_NAME")"; fi
  printf ' --golden %s --update' "$(quoted "$golden")"
}

# LINE FILE of each change: the line of the Compose file behind it, or else of the committed manifests.
places_in() { # DIFFERENCE
  awk '
    function place(line, file) { if (!seen[file, line]++) print line, file }
    function end_change() {
      if (changed != "" && !known) place(changed < 1 ? 1 : changed, file)
      changed = ""; known = 0
    }
    before <= 0 && after <= 0 && /^--- / { end_change(); file = substr($0, 5); next }
    before <= 0 && after <= 0 && /^@@ / {
      end_change()
      at = substr($2, 2) + 0
      before = split($2, range, ",") > 1 ? range[2] : 1
      after = split($3, range, ",") > 1 ? range[2] : 1
      next
    }
    /^ / { end_change(); at++; before--; after-- }
    /^[-+]/ && before + after > 0 { if (changed == "") changed = at }
    /^-/ && before > 0 { at++; before-- }
    /^\+/ && after > 0 {
      after--
      if (match($0, / # from .+:[0-9]+$/)) {
        origin = substr($0, RSTART + 8)
        match(origin, /:[0-9]+$/)
        place(substr(origin, RSTART + 1), substr(origin, 1, RSTART - 1))
        known = 1
      }
    }
    END { end_change() }
  ' "$1"
}

# GitHub shows these lines beside the change; elsewhere the difference alone is shown.
annotate() { # MESSAGE, places as input
  if [ "${GITHUB_ACTIONS:-}" != true ]; then return; fi
  text=$(printf '%s' "$1" | sed 's/%/%25/g')
  while read -r line path; do
    printf '::error file=%s,line=%s::%s\n' "$(printf '%s' "$path" | sed 's/%/%25/g; s/:/%3A/g; s/,/%2C/g')" "$line" "$text"
  done
}

# GitLab shows them in the merge request. Equal fingerprints are one finding, in all runs.
report() { # MESSAGE, places as input
  if [ -z "${DEVTOOL_CODEQUALITY:-}" ]; then return; fi
  in_json='s/[\\"]/\\&/g'
  text=$(printf '%s' "$1" | sed "$in_json")
  {
    printf '['
    comma=
    while read -r line path; do
      printf '%s\n{"description": "%s", "check_name": "devtool-goldens", "fingerprint": "devtool-goldens-%s-%s", "severity": "major", "location": {"path": "%s", "lines": {"begin": %s}}}' \
        "$comma" "$text" "$(printf '%s' "$path" | cksum | cut -d ' ' -f 1)" "$line" "$(printf '%s' "$path" | sed "$in_json")" "$line"
      comma=,
    done
    printf ']\n'
  } >"$DEVTOOL_CODEQUALITY"
}

goldens() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  status=0
  devtool deploy --dry-run ${file:+--file "$file"} --golden "$golden" >"$work/difference" 2>"$work/said" || status=$?
  cat "$work/difference"
  cat "$work/said" >&2
  places_in "$work/difference" >"$work/places"
  # There is no golden file yet.
  if grep -q DT2003 "$work/said"; then printf '1 %s\n' "$golden" >"$work/places"; fi
  message="the manifests differ from $golden; if that is intended, run: $(update_command)"
  annotate "$message" <"$work/places"
  report "$message" <"$work/places"
  if [ -s "$work/places" ]; then printf '%s\n' "$message" >&2; fi
  return "$status"
}

case ${1:-} in
  deploy | preview | destroy)
    # With the token of this job, which is not stored.
    if [ -n "${DEVTOOL_PLATFORM:-}" ]; then export DEVTOOL_CONTEXT="$DEVTOOL_PLATFORM"; fi
    "$1"
    ;;
  goldens) goldens ;;
  *)
    echo "usage: devtool-ci.sh deploy|preview|destroy|goldens [FILE [GOLDEN]]" >&2
    exit 2
    ;;
esac
