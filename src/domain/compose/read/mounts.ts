/** What a container mounts: `volumes`, `tmpfs`, `shm_size`, `configs` and `secrets` of a service. */

import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, choose, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { readBytes, showBytes } from '../../text/bytes.ts'
import { fail } from '../../text/fault.ts'
import { checkImage } from '../../text/image.ts'
import { listed } from '../../text/listed.ts'
import { readMount, type ShortMount } from '../../text/mount.ts'
import { normalise } from '../../text/path.ts'
import type { service } from '../fields/service.ts'
import type { Mount } from '../volume-model.ts'
import { type RawMount, type ServiceMounts, withoutHost } from './host-mounts.ts'
import { unlikelySize } from './sizes.ts'

type RawService = ValueOf<typeof service>['value']
type VolumeItem = NonNullable<RawService['volumes']>['value'][number]
type Long = Exclude<VolumeItem, Located<string>>
type FileItem = NonNullable<RawService['configs']>['value'][number]

const fault = (written: Located<unknown>, message: string, help?: string): Checked<never> =>
  C.fail(error('DT1024', message, { at: written.at, path: written.path, help }))

/** Options of the short notation that have nothing to translate: SELinux labels, copying and consistency. */
const silent: ReadonlySet<string> = new Set(['rw', 'ro', 'z', 'Z', 'nocopy', 'cached', 'delegated', 'consistent'])

/** A URL is split at its colons like a mount, and the part before its `@` may be a password. */
const named = (option: string): string => (option.includes('@') ? '' : `"${option}" `)

const readShort = (item: Located<string>): Checked<RawMount> =>
  C.andThen(({ value }: Located<ShortMount>): Checked<RawMount> => {
    const { source, kind, options } = value
    const place = { at: item.at, path: item.path }
    const target = normalise(value.target)
    const unknown = options.filter((option) => !silent.has(option))
    const found = unknown.map((option) =>
      warning('DT1102', `the mount option ${named(option)}has no effect on Kubernetes`, place),
    )
    const base = { target, readOnly: options.includes('ro'), ...place }
    if (kind === 'bind') return C.ok({ _tag: 'Host', source: source ?? '', ...base })
    return C.note(
      kind === 'anonymous' || source === undefined
        ? { _tag: 'Anonymous', ...base }
        : { _tag: 'Named', volume: source, ...(options.includes('nocopy') ? { isEmpty: true } : {}), ...base },
      found,
    )
  })(parse('DT1024', readMount, 'write name:/path, name:/path:ro, ./folder:/path or /path')(item))

const types = {
  volume: 'volume',
  bind: 'bind',
  tmpfs: 'tmpfs',
  image: 'image',
} as const

/** There are no fractions of bytes: `1.5` is a mistake, `1.5m` is not. */
const wholeBytes = (text: string) =>
  /^\s*[0-9]*\.[0-9]+\s*$/.test(text) ? fail('a size cannot be a fraction of a byte', 0, text.length) : readBytes(text)

const readSize = (size: Located<string> | undefined): Checked<string | undefined> =>
  optional(size, (present) =>
    C.andThen((bytes: Located<number>) => {
      const shown = showBytes(bytes.value)
      return C.note(bytes.value === 0 ? undefined : shown, unlikelySize('a memory file system', as(shown, present)))
    })(parse('DT1020', wholeBytes, 'write a size such as 64m or 1Gi')(present)),
  )

/** What is written for a mount of another type. */
const otherOptions = ({ value }: Long, type: keyof typeof types): ReadonlyArray<Diagnostic> => {
  const { bind, image, source, tmpfs, volume } = value
  const options = { volume, bind, tmpfs, image }
  const others = Object.entries(options).flatMap(([key, written]) => (key === type || !written ? [] : { key, written }))
  const lost = [...others, ...(type === 'tmpfs' && source !== undefined ? [{ key: 'source', written: source }] : [])]
  return lost.map(({ key, written: { at, path } }) =>
    warning('DT1102', `${key} has no effect on a mount of type ${type}`, { at, path }),
  )
}

const readLong = (item: Long): Checked<RawMount | undefined> => {
  const { type, source, target: written, read_only: readOnly, volume, tmpfs, image } = item.value
  if (written !== undefined && (type?.value === 'npipe' || type?.value === 'cluster')) {
    const message = `a mount of type ${type.value} has no effect on Kubernetes`
    return C.note(undefined, [warning('DT1102', message, { at: item.at, path: item.path })])
  }
  if (written === undefined || !/^(\/|[A-Za-z]:[\\/])/.test(written.value)) {
    return fault(written ?? item, 'a mount needs a target that is an absolute path')
  }
  const kind = type === undefined ? C.ok(as('volume' as const, item)) : choose('mount type', types)(type)
  const base = { target: normalise(written.value), readOnly: readOnly?.value ?? false, at: item.at, path: item.path }
  const subPath = (located: Located<string> | undefined) => (located === undefined ? {} : { subPath: located.value })
  const folder = volume?.value.subpath ?? image?.value.subpath
  if (folder !== undefined && (folder.value.startsWith('/') || folder.value.split('/').includes('..'))) {
    return fault(folder, 'subpath is a path inside the volume, without ..')
  }
  const isEmpty = volume?.value.nocopy?.value === true ? ({ isEmpty: true } as const) : {}
  const readAs = (tag: Located<keyof typeof types>): Checked<RawMount | undefined> => {
    switch (tag.value) {
      case 'volume':
        return C.ok(
          source === undefined
            ? { _tag: 'Anonymous', ...base }
            : { _tag: 'Named', volume: source.value, ...subPath(volume?.value.subpath), ...isEmpty, ...base },
        )
      case 'bind':
        return source === undefined
          ? fault(item, 'a host volume needs a source')
          : C.ok({ _tag: 'Host', source: source.value, ...base })
      case 'tmpfs':
        return C.map(
          (size: string | undefined): RawMount => ({
            _tag: 'Memory',
            ...defined({ size }),
            ...base,
          }),
        )(readSize(tmpfs?.value.size))
      case 'image':
        return source === undefined
          ? fault(item, 'an image mount needs a source')
          : C.note({ _tag: 'Image', image: source.value, ...subPath(image?.value.subpath), ...base }, [
              ...E.match(
                () => [
                  error('DT1026', `"${source.value}" is not a valid image name`, { at: source.at, path: source.path }),
                ],
                () => [],
              )(checkImage(source.value)),
              warning('DT1110', 'image volumes need Kubernetes 1.33 or a feature gate', {
                at: item.at,
                path: item.path,
              }),
            ])
    }
  }
  const checked = C.andThen((tag: Located<keyof typeof types>) => C.note(tag, otherOptions(item, tag.value)))(kind)
  return C.andThen(readAs)(checked)
}

const isLong = (item: VolumeItem): item is Long => typeof item.value !== 'string'

const readVolume = (item: VolumeItem): Checked<RawMount | undefined> =>
  isLong(item) ? readLong(item) : readShort(item)

/** `/path[:size=64m,mode=1777,…]`. */
const readTmpfs = (item: Located<string>): Checked<Mount> => {
  const [target = '', ...rest] = item.value.split(':')
  if (!target.startsWith('/')) return fault(item, 'a tmpfs needs an absolute path')
  const options = rest.join(':').split(',').filter(Boolean)
  const [, size] = /(?:^|,)size=([^,%]+)(?:,|$)/.exec(options.join()) ?? []
  const others = options.filter((option) => option !== 'ro' && option !== 'rw' && option !== `size=${size}`)
  const isUnnoticed = (option: string): boolean => /^(?:(?:mode|uid|gid)=|(?:exec|suid|dev)$)/.test(option)
  const withoutEffect = (make: typeof warning, lost: ReadonlyArray<string>): ReadonlyArray<Diagnostic> => {
    if (lost.length === 0) return []
    const why = 'an emptyDir only has a size, and everybody may write to it'
    const message = `of the tmpfs, ${listed(lost)} ${lost.length === 1 ? 'has' : 'have'} no effect on Kubernetes: ${why}`
    return [make('DT1102', message, { at: item.at, path: item.path })]
  }
  const found = [
    ...withoutEffect(
      warning,
      others.filter((option) => !isUnnoticed(option)),
    ),
    ...withoutEffect(remark, others.filter(isUnnoticed)),
  ]
  return C.andThen((limit: string | undefined) =>
    C.note<Mount>(
      {
        _tag: 'Memory',
        target: normalise(target),
        readOnly: options.includes('ro'),
        ...defined({ size: limit }),
        at: item.at,
        path: item.path,
      },
      found,
    ),
  )(readSize(size === undefined ? undefined : as(size, item)))
}

const readShm = (written: Located<string>): Checked<Mount | undefined> =>
  C.map((size: string | undefined): Mount | undefined =>
    size === undefined
      ? undefined
      : { _tag: 'Memory', target: '/dev/shm', readOnly: false, size, at: written.at, path: written.path },
  )(readSize(written))

/** Octal if it begins with 0, like in Compose's YAML; otherwise decimal. */
const readMode = (written: Located<string>): Checked<number> => {
  const octal = /^0o?([0-7]{1,4})$/.exec(written.value)?.[1]
  const mode =
    octal === undefined ? (/^[0-9]{1,4}$/.test(written.value) ? Number(written.value) : -1) : Number.parseInt(octal, 8)
  return mode >= 0 && mode <= 0o777
    ? C.ok(mode)
    : C.fail(
        error('DT1018', 'a file mode is octal, up to 0777', { at: written.at, path: written.path, help: 'write 0440' }),
      )
}

const readFile =
  (tag: 'Config' | 'Secret') =>
  (item: FileItem): Checked<Mount> => {
    const long = typeof item.value === 'string' ? { source: as(item.value, item) } : item.value
    const { source } = long
    if (source === undefined) return fault(item, `a ${tag.toLowerCase()} needs a source`)
    const folder = tag === 'Config' ? '/' : '/run/secrets/'
    const written = 'target' in long ? (long.target?.value ?? source.value) : source.value
    const target = normalise(written.startsWith('/') ? written : `${folder}${written}`)
    const mode = 'mode' in long ? long.mode : undefined
    return C.map((value: number | undefined): Mount => {
      const base = {
        target,
        readOnly: true,
        at: item.at,
        path: item.path,
        ...defined({ mode: value }),
      }
      return tag === 'Config'
        ? { _tag: 'Config', config: source.value, ...base }
        : { _tag: 'Secret', secret: source.value, ...base }
    })(optional(mode, readMode))
  }

/** One mount for each path, since Kubernetes rejects two: the last. */
const distinct = (mounts: ReadonlyArray<RawMount>): Checked<ReadonlyArray<RawMount>> => {
  const byTarget = new Map<string, RawMount>()
  const found: Array<Diagnostic> = []
  for (const mount of mounts) {
    if (mount.target.includes(':')) {
      const why = `Kubernetes mounts nothing at ${mount.target}: there is a colon in the path`
      found.push(error('DT1024', why, { at: mount.at, path: mount.path }))
    }
    const first = byTarget.get(mount.target)
    byTarget.set(mount.target, mount)
    if (first !== undefined) {
      found.push(
        warning('DT1039', `two mounts at ${mount.target}: the last one is used`, {
          at: mount.at,
          path: mount.path,
          help: 'remove one of the two',
          related: [{ at: first.at, message: 'the other one is here' }],
        }),
      )
    }
  }
  return C.note([...byTarget.values()], found)
}

/** Finds DT1018, DT1020, DT1024, DT1026, DT1039; warns DT1102, DT1110. References are checked by the project. */
export const readMounts = (raw: RawService): Checked<ServiceMounts> => {
  const parts = C.struct({
    volumes: C.each(readVolume)(raw.volumes?.value ?? []),
    tmpfs: C.each(readTmpfs)(raw.tmpfs?.value ?? []),
    shm: optional(raw.shm_size, readShm),
    configs: C.each(readFile('Config'))(raw.configs?.value ?? []),
    secrets: C.each(readFile('Secret'))(raw.secrets?.value ?? []),
  })
  return C.andThen((read: C.ValueIn<typeof parts>) => {
    const volumes = (read.volumes ?? []).filter((m) => m !== undefined)
    const rest = [
      ...(read.tmpfs ?? []),
      ...(read.shm === undefined ? [] : [read.shm]),
      ...(read.configs ?? []),
      ...(read.secrets ?? []),
    ]
    return C.map(withoutHost)(distinct([...volumes, ...rest]))
  })(parts)
}
