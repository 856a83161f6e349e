<title>Log In &lsaquo; WordPress</title>
