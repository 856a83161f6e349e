/** The file `$DEVTOOL_ENV`: what a command writes there, the commands after it get as variables. */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { readDotenv } from '../text/dotenv.ts'
import { source } from '../text/source.ts'

export type ExportedVariables = {
  readonly values: ReadonlyMap<string, string>
  readonly findings: ReadonlyArray<Diagnostic>
}

/**
 * Values as they are written: the shell that wrote them has replaced variables already. Warns with DT3505 of lines that
 * cannot be read; of the line only the name is told, since its value may be a secret.
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
