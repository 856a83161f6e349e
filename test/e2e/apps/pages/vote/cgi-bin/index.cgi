#!/bin/sh
# The form answers with itself, and its choice waits in the queue from then on.
if [ "$REQUEST_METHOD" = POST ]; then
  body=$(head -c "$CONTENT_LENGTH")
  choice=${body#vote=}
  redis-cli -h redis RPUSH votes "$(cat /proc/sys/kernel/random/uuid), ${choice%%&*}" >&2
fi
printf 'Content-Type: text/html\r\n\r\n'
echo "<title>${OPTION_A:-Cats} vs ${OPTION_B:-Dogs}!</title>"
echo "<form method=POST><button name=vote value=a>${OPTION_A:-Cats}</button><button name=vote value=b>${OPTION_B:-Dogs}</button></form>"
echo "Processed by container ID $(hostname)"
