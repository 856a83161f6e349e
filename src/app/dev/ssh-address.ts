/** The address by which OpenSSH and IDEs connect to a development container. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type DevSshHost,
  isIncluded,
  isSshConfigOf,
  sshConfigName,
  sshFileNames,
  sshFiles,
  sshSubfolder,
  type WrittenSshName,
  withInclude,
} from '../../domain/dev/ssh-config.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import type { DevSession } from './session.ts'

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

/** The workload is developed even without the address. */
const withoutAddress = (alias: string, { message }: Diagnostic): Diagnostic =>
  warning('DT5022', `IDEs and ssh cannot connect to ${alias}: ${message}`, {
    help: 'make ~/.ssh and ~/.ssh/config writable, then run `devtool up` again',
  })

/** Finds DT5022. */
export const writeSshAddress =
  (needs: Needs) =>
  (host: DevSshHost): TE.TaskEither<Diagnostic, void> =>
    pipe(
      sshFiles(host),
      TE.traverseSeqArray(([name, text]) =>
        needs.plainFolders.put(`${host.folder}/${sshSubfolder}`, name, text, { isPrivate }),
      ),
      TE.chain(() => mentionFiles(needs, host.folder)),
      TE.mapLeft((found) => withoutAddress(host.alias, found)),
    )

const notRemoved = (folder: string, alias: string, { message }: Diagnostic): Diagnostic =>
  warning('DT5022', `the SSH address ${alias} is left behind: ${message}`, {
    help: `delete ${folder}/${sshSubfolder}/${sshConfigName(alias)}`,
  })

/** `folder`: ~/.ssh. The Include line in its `config` stays, since it has no effect without the files. Finds DT5022. */
export const removeSshAddress =
  ({ plainFolders }: Pick<Needs, 'plainFolders'>) =>
  (folder: string, name: WrittenSshName): TE.TaskEither<Diagnostic, void> => {
    const subfolder = `${folder}/${sshSubfolder}`
    return pipe(
      plainFolders.look(subfolder, sshConfigName(name.alias)),
      TE.match(
        () => false,
        (entry) => entry._tag === 'File' && isSshConfigOf(name, entry.text),
      ),
      T.map((isThere) => (isThere ? sshFileNames(name.alias) : [])),
      TE.fromTask,
      TE.chain(TE.traverseSeqArray((file) => plainFolders.remove(subfolder, file))),
      TE.mapBoth(
        (found) => notRemoved(folder, name.alias, found),
        () => undefined,
      ),
    )
  }

/** `folder`: ~/.ssh. */
type Announced = DevSshHost & { readonly session: Pick<DevSession, 'ended'>; readonly say: (text: string) => void }

/**
 * Writes the address, or reports why it cannot. The result is run at the end of the session: the address stays for the
 * next one, unless the development container is gone.
 */
export const announceSshAddress =
  (ports: Needs & Pick<Ports, 'progress'>) =>
  ({ say, session, ...host }: Announced): T.Task<T.Task<void>> => {
    const tell = (diagnostic: Diagnostic): T.Task<void> =>
      T.fromIO(() => ports.progress.tell({ _tag: 'Found', diagnostic }))
    let isGone = false
    void session.ended.then(({ _tag }) => (isGone = _tag === 'RecordGone'))
    const leave = TE.getOrElse(tell)(removeSshAddress(ports)(host.folder, host))
    return pipe(
      writeSshAddress(ports)(host),
      TE.match(
        (found) => ports.progress.tell({ _tag: 'Found', diagnostic: found }),
        () => say(`ssh: ${host.alias} -> container, through localhost:${host.port}`),
      ),
      T.map(() => async () => (isGone ? leave() : undefined)),
    )
  }
