#!/bin/sh
printf 'Content-Type: text/html\r\n\r\n'
echo '<title>Cats vs Dogs -- Result</title>'
psql --host=db --command='SELECT vote, COUNT(id) AS count FROM votes GROUP BY vote'
