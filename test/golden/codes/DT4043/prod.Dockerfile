FROM busybox
