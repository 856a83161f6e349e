/** `schema --install`: sets up VS Code to check the files of this folder. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { SchemaForm } from '../../domain/init/schema-forms.ts'
import { schemaFiles } from '../../domain/init/schemas.ts'
import { EDITOR_FOLDER, SETTINGS_FILE, withSchemas } from '../../domain/init/vscode.ts'
import type { FolderEntry } from '../../domain/plan/file-changes.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'

/** `files`: those that were written, relative to the current folder. */
export type InstalledSchemas = { readonly files: ReadonlyArray<string> }

const textOf = (entry: FolderEntry): TE.TaskEither<Diagnostic, string> => {
  if (entry._tag === 'Other') {
    const message = `${EDITOR_FOLDER}/${SETTINGS_FILE} is not replaced: it is ${entry.what}`
    return TE.left(error('DT2007', message, { help: 'move it away, and run the command again' }))
  }
  return TE.right(entry._tag === 'File' ? entry.text : '')
}

/**
 * `version`: that of devtool. The settings are written last, so that they never name a missing schema. Finds DT2006,
 * DT2007, DT2008.
 */
export const installSchemas =
  ({ plainFolders }: Pick<Ports, 'plainFolders'>) =>
  (forms: ReadonlyArray<SchemaForm>, version: string): Promise<Result<InstalledSchemas>> => {
    const schemas = schemaFiles(forms, version)
    const patterns = new Map(schemas.map(({ files, name }) => [`./${EDITOR_FOLDER}/${name}`, files] as const))
    const write = (name: string, text: string) => plainFolders.put(EDITOR_FOLDER, name, text, { isPrivate: false })
    return answer(
      pipe(
        plainFolders.look(EDITOR_FOLDER, SETTINGS_FILE),
        TE.flatMap(textOf),
        TE.flatMapEither((text) => withSchemas(text, patterns)),
        TE.tap(() => TE.traverseSeqArray(({ name, text }: (typeof schemas)[number]) => write(name, text))(schemas)),
        TE.tap((settings) => write(SETTINGS_FILE, settings)),
        TE.map(() => {
          const names = [...schemas.map(({ name }) => name), SETTINGS_FILE]
          return { findings: [], value: { files: names.map((name) => `${EDITOR_FOLDER}/${name}`) } }
        }),
      ),
    )
  }
