/** Codes of commands that inspect an environment. */

export const seeCodes = {
  DT3401: {
    status: 2,
    title: 'invalid regular expression',
    text: 'The argument of `logs`, and --exclude, are regular expressions in RE2 syntax, which has no look-ahead and no back-references. They match from the start of a service name: `api` matches every service whose name starts with api.',
  },
  DT3402: {
    status: 5,
    title: 'no matching service',
    text: 'No service of the environment matches the expression. The message lists the services that have pods.',
  },
  DT3403: {
    status: 0,
    title: 'log cannot be read',
    text: 'The log of one container could not be read; the logs of the others are printed. A log is lost when its pod is deleted or its node is gone, and a container that has not started has none. With --previous: a node that is busy may remove the log of the instance before a restart.',
  },
  DT3404: {
    status: 5,
    title: 'file exists',
    text: '`init` does not overwrite an existing manifest unless --replace is given; --file names another file.',
  },
  DT3405: {
    status: 1,
    title: 'check failed',
    text: 'Something that `deploy` needs is missing in the cluster or on the way to it. The table says what, and how to fix it.',
  },
  DT3406: {
    status: 3,
    title: 'analytics.json cannot be read',
    text: 'The file analytics.json in the devtool folder, which says whether usage data may be sent, is not a JSON object.',
  },
  DT3407: {
    status: 5,
    title: 'no such environment',
    text: 'There is no environment of that name in the namespace: it was never deployed, or it was destroyed. `devtool list` lists the environments.',
  },
  DT3408: {
    status: 0,
    title: 'not in the report',
    text: '`doctor` could not read something from the cluster and wrote the report without it: access may be denied, or the cluster does not respond.',
  },
  DT3409: {
    status: 7,
    title: 'local port in use',
    text: '`forward` cannot listen on the port of this machine, because another program does. `LOCAL:PORT` forwards from another local port, `:PORT` from any free one.',
  },
  DT3410: {
    status: 1,
    title: 'cannot listen',
    text: '`forward` cannot listen on the port of this machine: ports below 1024 are often reserved for the administrator. `LOCAL:PORT` forwards from another local port, `:PORT` from any free one.',
  },
} as const
