/** The address by which OpenSSH and IDEs connect to a development container. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type DevSshHost,
  isIncluded,
  sshFileNames,
  sshFiles,
  sshSubfolder,
  withInclude,
} from '../../domain/dev/ssh-config.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'

type Needs = Pick<Ports, 'files' | 'writer' | 'plainFolders'>

const isPrivate = true

const mentionFiles = ({ files, writer }: Needs, folder: string): TE.TaskEither<Diagnostic, void> => {
  const path = `${folder}/config`
  return pipe(
    TE.fromTask(files.read(path, {})),
    TE.chain((content) => {
      if (content._tag === 'Missing') return writer.replace(path, withInclude(new Uint8Array()), { isPrivate })
      if (content._tag !== 'File') return TE.left(error('DT2006', `cannot add a line to ${path}: it cannot be read`))
      return isIncluded(content.bytes)
        ? TE.right(undefined)
        : writer.replace(path, withInclude(content.bytes), { isPrivate })
    }),
  )
}

/** `folder`: ~/.ssh. Finds DT2006, DT2007. */
export const writeSshAddress =
  (needs: Needs) =>
  (folder: string, host: DevSshHost): TE.TaskEither<Diagnostic, void> =>
    pipe(
      sshFiles(host),
      TE.traverseSeqArray(([name, text]) =>
        needs.plainFolders.put(`${folder}/${sshSubfolder}`, name, text, { isPrivate }),
      ),
      TE.chain(() => mentionFiles(needs, folder)),
    )

/** The line in ~/.ssh/config stays: without these files it means nothing. */
export const removeSshAddress =
  ({ plainFolders }: Pick<Needs, 'plainFolders'>) =>
  (folder: string, name: string): TE.TaskEither<Diagnostic, void> =>
    pipe(
      sshFileNames(name),
      TE.traverseSeqArray((file) => plainFolders.remove(`${folder}/${sshSubfolder}`, file)),
      TE.map(() => undefined),
    )
