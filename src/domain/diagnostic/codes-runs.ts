/** Codes of runs on the platform, in their records. */

export const runCodes = {
  DT6401: {
    status: 8,
    title: 'run ended without a result',
    text: 'The pod of a run on the platform ended, or was never started, before the run had written how it went. The message says what the cluster reports about it: the run used more memory or disk than it may, its node was lost, its image cannot be pulled, or the quota of the namespace is used up. What the run had done by then stays; start it again.',
  },
  DT6402: {
    status: 6,
    title: 'run took too long',
    text: 'A run on the platform has been stopped because it took longer than --timeout, 5 minutes unless set. What it had done by then stays; start it again with a longer one. If its pod has not started, for example because no node has room for it, the message says why.',
  },
  DT6403: {
    status: 5,
    title: 'repository cannot be cloned',
    text: 'A run on the platform could not clone the repository. It is fetched by HTTPS, without following redirects; for a private one set the variable DEVTOOL_GIT_TOKEN_HOST of the namespace, or for all previews with --all --previews, or give it with --var, where HOST is the host with dots and dashes as underscores, like DEVTOOL_GIT_TOKEN_GITHUB_COM. A line PATH TOKEN is only for the repository or group at that path, and forks are cloned only with a token given with --var.',
  },
  DT6411: {
    status: 7,
    title: 'run cancelled',
    text: 'The run that the command waited for was cancelled: somebody asked for that, or a newer run of the same pipeline was started while it waited.',
  },
  DT6412: {
    status: 1,
    title: 'namespace not deleted',
    text: 'The destroy commands in the namespace or preview did not succeed, so it was not deleted. Their log says why; delete it again, or with --force, which leaves them out, or deploy into it to keep it.',
  },
} as const
