/**
 * Every code there is. A code never gets another meaning and is never given again: people search for them. `status` is
 * the exit status of a command whose first error it is.
 */
import { inputCodes } from './codes-input.ts'
import { noteCodes, warningCodes } from './codes-warnings.ts'

const input = 3

const usage = {
  DT2001: {
    status: 2,
    title: 'usage',
    text: 'The command line has an unknown command, flag or value. `devtool help COMMAND` shows what a command takes.',
  },
  DT2002: {
    status: 2,
    title: 'guessed name',
    text: 'A golden file must not depend on the folder it was made in, so the environment needs a name: --name, DEVTOOL_NAME, or name: in the Compose file.',
  },
  DT2003: {
    status: input,
    title: 'no golden file',
    text: 'The golden file to compare with does not exist. --update writes it.',
  },
  DT2004: {
    status: 1,
    title: 'golden file differs',
    text: 'The manifests are not those of the golden file. The diff names the Compose lines behind each change; --update keeps the new manifests.',
  },
  DT2005: { status: 2, title: 'no such service', text: 'A service named on the command line is not in the file.' },
  DT2006: { status: 1, title: 'cannot write', text: 'The output or a file could not be written.' },
  DT2007: {
    status: 5,
    title: 'only prints',
    text: 'This version translates and prints, it changes no cluster. Add --dry-run, and give what is printed to kubectl apply.',
  },
  DT9001: {
    status: 70,
    title: 'defect of devtool',
    text: 'Something happened that must not happen, whatever the input. Please report it, with the input if you can share it.',
  },
} as const

export const codes = { ...inputCodes, ...warningCodes, ...noteCodes, ...usage } as const
export type Code = keyof typeof codes
