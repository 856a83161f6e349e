/** Folders, volumes and secrets of a development container. Whether local paths exist is checked by `up`. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import type { Written } from '../../compose/model.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { type Located, located } from '../../shape/shape.ts'
import { syncModes } from '../../sync/act.ts'
import { baseName, normalise, pathWritten } from '../../text/path.ts'
import type { Placed } from '../../text/written.ts'
import type { DevSecret, ExternalVolume, SyncFolder } from '../dev-model.ts'
import { repeated } from './parts.ts'

type Texts = Located<ReadonlyArray<Located<string>>>

const fault = (message: string, { at, path }: Placed, help: string): Diagnostic =>
  error('DT1509', message, { at, path, help })

/**
 * The parts between colons. The drive letter of a Windows path is not a part of its own, unless nothing else is left.
 */
const sectionsOf = (text: string): ReadonlyArray<string> => {
  const sections = text.split(':')
  const [drive = '', folder = '', ...rest] = sections
  return /^[A-Za-z]$/.test(drive) && /^[\\/]/.test(folder) && rest.length > 0
    ? [`${drive}:${folder}`, ...rest]
    : sections
}

/** DT1509 unless it is an absolute path below `/`. */
const remoteFaults = (remote: string, place: Placed): ReadonlyArray<Diagnostic> => {
  if (!remote.startsWith('/')) return [fault(`"${remote}" is not an absolute path`, place, 'begin it with /')]
  return normalise(remote) === '/' ? [fault('the remote path cannot be /', place, 'name a folder below it')] : []
}

const twice = <A extends Placed>(
  items: ReadonlyArray<A>,
  what: string,
  identity: (item: A) => string,
): ReadonlyArray<Diagnostic> =>
  repeated(items, identity).map((item) => fault(`${what} ${identity(item)} is used twice`, item, 'remove one of them'))

const checkedEach = <A extends Placed>(
  raw: Texts | undefined,
  read: (item: Located<string>) => Checked<A>,
  check: (items: ReadonlyArray<A>) => ReadonlyArray<Diagnostic>,
): Checked<ReadonlyArray<A>> =>
  C.andThen((items: ReadonlyArray<A>) => C.note(items, check(items)))(C.each(read)(raw?.value ?? []))

const readFolder = (item: Located<string>): Checked<SyncFolder> => {
  const { at, path, value } = item
  const [local = '', remote = '', written, ...more] = sectionsOf(value)
  const mode = syncModes.find((one) => one === written)
  if (local === '' || remote === '' || mode !== written || more.length > 0) {
    const help = 'write local:/remote, local:/remote:push or local:/remote:pull'
    return C.fail(fault(`"${value}" is not a folder to synchronize`, { at, path }, help))
  }
  const folder = { local: pathWritten(at, local), remote: normalise(remote), ...defined({ mode }), at, path }
  return C.note(folder, remoteFaults(remote, { at, path }))
}

export const readFolders = (raw: Texts | undefined): Checked<ReadonlyArray<SyncFolder>> =>
  checkedEach(raw, readFolder, (folders) => twice(folders, 'the remote folder', ({ remote }) => remote))

/** Paths in the container. */
export const readVolumes = (raw: Texts | undefined): Checked<ReadonlyArray<Written<string>>> =>
  checkedEach(
    raw,
    (item) => {
      const { at, path, value } = item
      if (sectionsOf(value).length > 1) {
        return C.fail(fault(`"${value}" names two paths`, { at, path }, 'folders of this machine belong to sync'))
      }
      return C.note(located(normalise(value), at, path), remoteFaults(value, { at, path }))
    },
    (volumes) => twice(volumes, 'the volume', ({ value }) => value),
  )

const readExternalVolume = (item: Located<string>): Checked<ExternalVolume> => {
  const { at, path, value } = item
  const sections = value.split(':')
  const [claim = '', second = '', third] = sections
  const target = third ?? second
  if (claim === '' || second === '' || target === '' || sections.length > 3) {
    const help = 'write claim:/path or claim:subpath:/path'
    return C.fail(fault(`"${value}" is not an external volume`, { at, path }, help))
  }
  const volume = { claim, ...defined({ subPath: ifDefined(third, () => second) }), target: normalise(target), at, path }
  return C.note(volume, remoteFaults(target, { at, path }))
}

export const readExternalVolumes = (raw: Texts | undefined): Checked<ReadonlyArray<ExternalVolume>> =>
  checkedEach(raw, readExternalVolume, (volumes) => twice(volumes, 'the path', ({ target }) => target))

const readSecret = (item: Located<string>): Checked<DevSecret> => {
  const { at, path, value } = item
  const [local = '', remote = '', mode = '644', ...more] = sectionsOf(value)
  if (local === '' || remote === '' || more.length > 0) {
    return C.fail(fault(`"${value}" is no secret`, { at, path }, 'write local:/remote or local:/remote:mode'))
  }
  const found = [
    ...remoteFaults(remote, { at, path }),
    ...(/^0?[0-7]{3}$/.test(mode)
      ? []
      : [fault(`"${mode}" is not a file mode`, { at, path }, 'write one such as 600 or 644')]),
  ]
  const secret = { local: pathWritten(at, local), remote: normalise(remote), at, path }
  return C.note({ ...secret, mode: Number.parseInt(mode, 8) || 0o644 }, found)
}

export const readSecrets = (raw: Texts | undefined): Checked<ReadonlyArray<DevSecret>> =>
  checkedEach(raw, readSecret, (secrets) => [
    ...twice(secrets, 'the remote path', ({ remote }) => remote),
    ...twice(secrets, 'the file name', ({ local }) => baseName(local)),
  ])
