/** Codes of commands of a manifest. */

export const commandsCodes = {
  DT3501: {
    status: 1,
    title: 'command failed',
    text: 'A command of the manifest exited with a status other than 0. Its output is above; the commands after it were not run. What it and the commands before it created stays and belongs to the environment.',
  },
  DT3502: {
    status: 5,
    title: 'bash not found',
    text: 'Commands of a manifest run with bash, which is not on the PATH. Install it, or use --no-bash to run them with the default shell (sh; cmd.exe on Windows).',
  },
  DT3503: {
    status: 1,
    title: 'command not started',
    text: 'The program of a command, or its working directory, does not exist.',
  },
  DT3504: {
    status: 1,
    title: 'no temporary file',
    text: 'Commands get two temporary files: one to write variables to ($DEVTOOL_ENV), and a kubeconfig for the cluster ($KUBECONFIG). They could not be created or read.',
  },
  DT3505: {
    status: 0,
    title: 'line of $DEVTOOL_ENV ignored',
    text: 'A command wrote a line to $DEVTOOL_ENV that is not of the form NAME=value. The line is ignored; the others are used.',
  },
} as const
