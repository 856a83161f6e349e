/** Definitions at the top level that no service of the file mounts, regardless of profiles. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { readMount } from '../../text/mount.ts'
import type { document } from '../fields/document.ts'
import type { RawService } from './service.ts'

type Raw = ValueOf<typeof document>['value']
type Service = RawService['value']
type Section = 'volumes' | 'configs' | 'secrets'

const sourcesOf = (items: Service['configs']): ReadonlyArray<string> =>
  (items?.value ?? []).map(({ value }) => (typeof value === 'string' ? value : (value.source?.value ?? '')))

/** The volume of a mount, even when the mount has a mistake: the volume is not unused because of it. */
const volumeIn = (short: string): ReadonlyArray<string> =>
  pipe(
    readMount(short),
    E.match(
      () => short.split(':').slice(0, 1),
      ({ source }) => (source === undefined ? [] : [source]),
    ),
  )

const mountedBy = ({ volumes }: Service): ReadonlyArray<string> =>
  (volumes?.value ?? []).flatMap(({ value }) =>
    typeof value === 'string' ? volumeIn(value) : [value.source?.value ?? ''],
  )

const builtWith = ({ build }: Service): ReadonlyArray<string> =>
  build === undefined || typeof build.value === 'string' ? [] : sourcesOf(build.value.secrets)

/** DT1120. Mistakes in a definition's name are found elsewhere. */
export const unusedDefinitions = ({ services, ...sections }: Raw): ReadonlyArray<Diagnostic> => {
  const all = (services?.value ?? []).map(({ value }) => value.value)
  const used: Readonly<Record<Section, ReadonlySet<string>>> = {
    volumes: new Set(all.flatMap(mountedBy)),
    configs: new Set(all.flatMap(({ configs }) => sourcesOf(configs))),
    secrets: new Set(all.flatMap((service) => [...sourcesOf(service.secrets), ...builtWith(service)])),
  }
  const unused = (section: Section, what: string): ReadonlyArray<Diagnostic> =>
    (sections[section]?.value ?? [])
      .filter(({ key }) => !used[section].has(key.text))
      .map(({ key }) =>
        warning('DT1120', `no service mounts it, so no ${what} is made`, { at: key, path: `${section}.${key.text}` }),
      )
  return [...unused('volumes', 'claim'), ...unused('configs', 'ConfigMap'), ...unused('secrets', 'Secret')]
}
