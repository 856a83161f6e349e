import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { type FileContent, textContent } from '../../domain/compose/file-content.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'

export const readText = (
  { files }: Pick<Ports, 'files'>,
  path: string,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  pipe(
    TE.fromTask<FileContent, ReadonlyArray<Diagnostic>>(files.read(path, {})),
    TE.flatMap((content) => {
      const read = textContent(path, content, undefined)
      const text = C.valueOf(read)
      return text === undefined || C.hasErrors(C.findings(read)) ? TE.left(C.findings(read)) : TE.right(text)
    }),
  )
