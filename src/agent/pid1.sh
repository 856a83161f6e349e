# The first process of a development container: runs the agent, starts it again when it crashes, reaps orphans and hands
# signals on. Some variables that an image sets for its programs would change the agent, too: they are saved, and the
# agent restores them for the programs that it starts.
folder=${0%/*}
for name in NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT \
  MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_ MALLOC_TOP_PAD_; do
  eval "if [ \"\${$name+x}\" ]; then export DEVTOOL_SAVED_$name=\"\$$name\"; unset $name; fi"
done

# Large buffers are given back at once, and threads share the rest: otherwise memory grows for hours, and is kept.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=16384 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_TOP_PAD_=0

# A folder of 20,000 files takes 45 MB instead of 85 with it, and no longer to look at.
small='--max-semi-space-size=1 --expose-gc'

ended=
trap 'ended=1; kill -TERM "$agent" 2>/dev/null' TERM INT

# Usually this container starts after another one has copied the image's files into its volumes. When that fails, it is
# tried again, and must not overwrite what is synchronised meanwhile. An image need not have a `sleep`.
if [ "$DEVTOOL_AGENT_FILLS" ]; then
  until [ -e "$folder/filled" ] || [ "$ended" ]; do "$folder/node" -e 'setTimeout(() => {}, 500)' || exit 1; done
fi

# Run through `exec` when forwarding ports of the pod is not allowed: SSH uses this command's input and output.
if [ "$1" = --stdio ]; then exec "$folder/node" $small "$folder/agent.cjs" --stdio; fi

pause=0
if [ "$ended" ]; then exit 0; fi
export DEVTOOL_AGENT_FIRST=yes
while :; do
  read -r began _ </proc/uptime
  "$folder/node" $small "$folder/agent.cjs" &
  agent=$!
  # A signal ends `wait` early.
  while :; do
    wait "$agent"
    status=$?
    kill -0 "$agent" 2>/dev/null || break
  done
  if [ "$ended" ] || [ "$status" = 0 ]; then exit "$status"; fi
  DEVTOOL_AGENT_FIRST=no
  echo "devtool: the agent ended with status $status and is started again" >&2
  # A longer pause after each crash, at most 5 seconds, and none after 10 seconds without one.
  read -r now _ </proc/uptime
  if [ $((${now%.*} - ${began%.*})) -ge 10 ]; then pause=0; fi
  if [ "$pause" -gt 0 ]; then "$folder/node" -e "setTimeout(() => {}, $pause)" || exit "$status"; fi
  pause=$((pause * 2 + 50))
  if [ "$pause" -gt 5000 ]; then pause=5000; fi
done
