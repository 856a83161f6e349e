/** Codes of looking at an environment. */

export const seeCodes = {
  DT3401: {
    status: 2,
    title: 'no regular expression',
    text: 'The argument of logs, and --exclude, are regular expressions in the syntax of RE2, which knows neither look-ahead nor back-references. An expression begins where the name of the service begins: api is every service whose name starts so.',
  },
  DT3402: {
    status: 5,
    title: 'no such service running',
    text: 'No service of the environment has a name that the expression means. The message lists those that have pods.',
  },
  DT3403: {
    status: 1,
    title: 'log cannot be read',
    text: 'The log of one container could not be read; those of the others are printed. A log is gone with its node, and when its pod is removed.',
  },
  DT3404: {
    status: 5,
    title: 'file exists',
    text: 'init overwrites no manifest. --replace allows it; --file names another file.',
  },
  DT3405: {
    status: 1,
    title: 'check failed',
    text: 'Something that deploy needs is missing in the cluster, or on the way to it. The table says what, and what helps.',
  },
  DT3406: {
    status: 3,
    title: 'analytics.json cannot be read',
    text: 'The file in the folder of devtool that says whether anything may be sent is no JSON object. Somebody else wrote it.',
  },
  DT3407: {
    status: 5,
    title: 'no such environment',
    text: 'There is no environment of that name in the namespace: nobody deployed one, or it was destroyed. `devtool list` lists those that are there.',
  },
  DT3408: {
    status: 1,
    title: 'not in the report',
    text: 'doctor could not read something of the cluster; the report is written without it. It may not be allowed, or the cluster does not answer.',
  },
} as const
