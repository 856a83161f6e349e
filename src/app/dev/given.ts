/** The variables and files that a development container gets from this machine. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { contentFault, type FileContent, textContent } from '../../domain/compose/file-content.ts'
import { readVariables, variablesFrom } from '../../domain/compose/variables.ts'
import type { SecretFile } from '../../domain/dev/request.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { DevBase, DevContainer } from '../../domain/manifest/dev-model.ts'
import { encodeBase64 } from '../../domain/text/base64.ts'
import { source } from '../../domain/text/source.ts'
import type { Placed, Written } from '../../domain/text/written.ts'
import type { FileReader } from '../../ports/files.ts'

type Findings = ReadonlyArray<Diagnostic>
type NamedText = { readonly name: string; readonly value: string }

const readBytes =
  (files: Pick<FileReader, 'read'>) =>
  (path: string, { at }: Placed): TE.TaskEither<Findings, Uint8Array> =>
    pipe(
      TE.fromTask<FileContent, Findings>(files.read(path, {})),
      TE.flatMapEither((content) => {
        const fault = contentFault(path, content, at)
        return content._tag === 'File' && fault === undefined
          ? E.right(content.bytes)
          : E.left(fault === undefined ? [] : [fault])
      }),
    )

const variablesIn =
  (files: Pick<FileReader, 'read'>, shell: ReadonlyMap<string, string>) =>
  ({ at, value: path }: Written<string>): TE.TaskEither<Findings, ReadonlyArray<NamedText>> =>
    pipe(
      TE.fromTask<FileContent, Findings>(files.read(path, {})),
      TE.flatMapEither((content) => {
        const read = pipe(
          textContent(path, content, at),
          C.andThen((text) => readVariables(source(path, '.', text), variablesFrom(shell))),
        )
        const found = C.findings(read)
        return C.hasErrors(found) ? E.left(found) : E.right(C.valueOf(read) ?? [])
      }),
      TE.map((all) => all.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))),
    )

/** Each name once: those of files first, then those of the section, then `given`. */
export const environmentOf = (
  files: Pick<FileReader, 'read'>,
  { envFiles, environment }: Pick<DevBase, 'envFiles' | 'environment'>,
  given: ReadonlyMap<string, string>,
  shell: ReadonlyMap<string, string>,
): TE.TaskEither<Findings, ReadonlyArray<NamedText>> =>
  pipe(
    envFiles,
    TE.traverseSeqArray(variablesIn(files, shell)),
    TE.map((ofFiles) => {
      const all = new Map(ofFiles.flat().map(({ name, value }) => [name, value] as const))
      for (const { name, value = shell.get(name) } of environment) if (value !== undefined) all.set(name, value)
      for (const [name, value] of given) all.set(name, value)
      return [...all].map(([name, value]) => ({ name, value }))
    }),
  )

export const secretsOf = (
  files: Pick<FileReader, 'read'>,
  { secrets }: Pick<DevContainer, 'secrets'>,
): TE.TaskEither<Findings, ReadonlyArray<SecretFile>> =>
  pipe(
    secrets,
    TE.traverseSeqArray((secret) =>
      pipe(
        readBytes(files)(secret.local, secret),
        TE.map((bytes) => ({ remote: secret.remote, mode: secret.mode, base64: encodeBase64(bytes) })),
      ),
    ),
  )
