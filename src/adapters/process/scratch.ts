/** A file in a private temporary folder. */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Scratch } from '../../ports/commands.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const problem = (cause: unknown): Diagnostic =>
  error('DT3504', `the file of $DEVTOOL_ENV: ${cause instanceof Error ? cause.message : String(cause)}`, {
    help: `check the folder for temporary files, ${tmpdir()}`,
  })

export const makeScratch = (): TE.TaskEither<Diagnostic, Scratch> =>
  TE.tryCatch(async () => {
    const { path: folder, remove } = await makeScratchFolder()
    const path = join(folder, 'env')
    await writeFile(path, '', { mode: 0o600 })
    return {
      path,
      read: () => TE.tryCatch(() => readFile(path, 'utf8'), problem),
      remove,
    }
  }, problem)
