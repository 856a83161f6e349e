FROM scratch
COPY main.c /
