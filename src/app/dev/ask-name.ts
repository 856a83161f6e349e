/** Asks which of several development containers to use. Finds DT5050 without a terminal. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ambiguous } from '../../domain/dev/choose.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'

export const askName = (
  { prompt }: Pick<Ports, 'prompt'>,
  names: ReadonlyArray<string>,
): TE.TaskEither<Diagnostic, string> =>
  TE.mapLeft((found: Diagnostic) => (found.code === 'DT2101' ? ambiguous(names) : found))(
    prompt.choose(
      { text: 'which development container?', flag: 'its name' },
      names.map((name) => ({ value: name, text: name })),
    ),
  )
