#!/bin/sh
# POST adds the body as a note of one line; every request is answered by all notes.
file=/data/notes.txt
if [ "$REQUEST_METHOD" = POST ]; then
  head -c "${CONTENT_LENGTH:-0}" | tr -d '\r\n' | sed 's/^note=//' >>"$file"
  echo >>"$file"
fi
printf 'Content-Type: text/plain\r\n\r\n'
[ ! -e "$file" ] || cat "$file"
