/** Codes of commands of a manifest. */

export const commandsCodes = {
  DT3501: {
    status: 1,
    title: 'command failed',
    text: 'A command of the manifest ended with another status than 0. What it printed is above; the commands after it were not run. What it and those before it created stays, and belongs to the environment.',
  },
  DT3502: {
    status: 5,
    title: 'no bash',
    text: 'Commands of a manifest run with bash, and there is none on the PATH. Install it, or run the command with --no-bash: then the shell of the platform runs them (sh; cmd.exe on Windows).',
  },
  DT3503: {
    status: 1,
    title: 'command not started',
    text: 'The program of a command, or the folder it is to run in, is not there.',
  },
  DT3504: {
    status: 1,
    title: 'no temporary file',
    text: 'Commands get a file to write variables into ($DEVTOOL_ENV), and one that leads them to the cluster ($KUBECONFIG), both in the folder for temporary files. They could not be made or read.',
  },
  DT3505: {
    status: 0,
    title: 'line of $DEVTOOL_ENV ignored',
    text: 'A command wrote a line into the file $DEVTOOL_ENV that is not of the form NAME=value. It is left out; the other lines count.',
  },
} as const
