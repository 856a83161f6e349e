/** The file `$DEVTOOL_ENV`: variables that a command writes there are given to the commands after it. */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { readDotenv } from '../text/dotenv.ts'
import { source } from '../text/source.ts'

export type ExportedVariables = {
  readonly values: ReadonlyMap<string, string>
  readonly findings: ReadonlyArray<Diagnostic>
}

/**
 * Values are taken as written: the shell has already expanded variables. Warns with DT3505 about lines that cannot be
 * read, showing only the name, since the value may be a secret.
 */
export const readExported = (text: string, command: string): ExportedVariables => {
  const { entries, faults } = readDotenv(text)
  const written = source('$DEVTOOL_ENV', '.', text)
  return {
    values: new Map(entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))),
    findings: faults.map(({ end, message, start }) =>
      warning('DT3505', `command "${command}": ${message}`, {
        at: { source: written, start, end },
        help: 'write lines of the form NAME=value',
      }),
    ),
  }
}
