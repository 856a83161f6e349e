#!/bin/sh
[ "$(nc -w 3 127.0.0.1 3306 </dev/null)" = ready ]
