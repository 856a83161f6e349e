/** The value of a variable: given, or from the standard input. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { textOf } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { STDIN } from '../../domain/text/source.ts'
import type { Ports } from '../../ports/ports.ts'

const noValue = error('DT2001', 'the value is missing', {
  help: 'give it behind the name, or on the standard input: `devtool variable set NAME < FILE`',
})

/** One line break at its end belongs to the file, not to the value. */
export const readValue =
  ({ console: screen, files }: Pick<Ports, 'console' | 'files'>) =>
  (given: string | undefined): TE.TaskEither<Diagnostic, string> =>
  async () => {
    if (given !== undefined) return E.right(given)
    if (screen.terminal() !== undefined) return E.left(noValue)
    const content = await files.read(STDIN, {})()
    const text = content._tag === 'File' ? textOf(content.bytes) : undefined
    return text === undefined ? E.left(noValue) : E.right(text.replace(/\r?\n$/, ''))
  }
