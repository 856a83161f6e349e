/** The parts of an image that services and manifest entries write in the same way. */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { defined } from '../object/defined.ts'
import { labelsOf, valuesOf } from '../shape/named-values.ts'
import { parse } from '../shape/parse.ts'
import { type Located, located, type Pair } from '../shape/shape.ts'
import { checkImage } from '../text/image.ts'
import { pathWritten } from '../text/path.ts'
import type { NamedValue, Written } from '../text/written.ts'
import type { Variables } from '../yaml/interpolate.ts'
import type { Image } from './image.ts'

/** A URL, `git@host:…` or a GitHub repository: the builder fetches it. */
export const isRemote = (context: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/|^git@|^github\.com\//i.test(context)

/** It begins with a variable that only a running build knows, so it is a URL as well. */
const isLate = (context: string): boolean => context.startsWith('$')

/** A path relative to the folder that the command runs in; a URL is returned as it is. */
export const resolved = (written: Located<string>): Located<string> =>
  isRemote(written.value) || isLate(written.value)
    ? written
    : located(pathWritten(written.at, written.value), written.at, written.path)

/** The image of another service, named as `service:NAME`. */
export const serviceOf = ({ value }: NamedValue): string | undefined => /^service:(.+)$/.exec(value ?? '')?.[1]

const resolvedContext = (context: NamedValue): NamedValue =>
  context.value === undefined || isRemote(context.value) || isLate(context.value) || serviceOf(context) !== undefined
    ? context
    : { ...context, value: pathWritten(context.at, context.value) }

/** Keys below `~` are left as they are: only the machine knows the home folder. */
const resolvedKeys = ({ value, ...key }: NamedValue): NamedValue => {
  const paths = value?.split(',').map((path) => (/^[~$]/.test(path) ? path : pathWritten(key.at, path)))
  return { ...key, ...defined({ value: paths?.join(',') }) }
}

/** References to push to. Parts that only a running deploy knows are not checked. Finds DT1026. */
export const readReference = (written: Located<string>): Checked<Written<string>> =>
  /\$\{DEVTOOL_[A-Za-z0-9_]+\}/.test(written.value)
    ? C.ok(written)
    : parse('DT1026', checkImage, 'write repository/name:tag')(written)

type Pairs = Located<ReadonlyArray<Pair>> | undefined

/** The fields that both have, under the names they are written with. */
export type RawParts = {
  readonly context?: Located<string>
  readonly dockerfile?: Located<string>
  readonly dockerfile_inline?: Located<string>
  readonly network?: Located<string>
  readonly no_cache?: Located<boolean>
  readonly pull?: Located<boolean>
  readonly provenance?: Located<string>
  readonly sbom?: Located<string>
  readonly target?: Located<string>
  readonly args?: Pairs
  readonly additional_contexts?: Pairs
  readonly labels?: Pairs
  readonly extra_hosts?: Pairs
}

const textsOf = ({
  dockerfile,
  dockerfile_inline: dockerfileInline,
  network,
  no_cache: noCache,
  provenance,
  pull,
  sbom,
  target,
}: RawParts) => defined({ dockerfile, dockerfileInline, network, noCache, pull, target, provenance, sbom })

export type SharedParts = Pick<
  Image,
  | 'context'
  | 'dockerfile'
  | 'dockerfileInline'
  | 'network'
  | 'noCache'
  | 'pull'
  | 'target'
  | 'provenance'
  | 'sbom'
  | 'args'
  | 'additionalContexts'
  | 'ssh'
  | 'labels'
  | 'extraHosts'
>

/**
 * `whole`: the place of the build, whose folder is the default context. `ssh`: `default`, `ID`, `ID=PATH`. Finds
 * DT1028.
 */
export const readParts = (
  raw: RawParts,
  ssh: Pairs,
  whole: Located<unknown>,
  variables: Variables,
): Checked<SharedParts> => {
  const parts = C.struct({
    args: valuesOf(variables, raw.args),
    additionalContexts: labelsOf(raw.additional_contexts),
    ssh: labelsOf(ssh),
    labels: C.ok((raw.labels?.value ?? []).filter(({ name }) => name !== '')),
    extraHosts: labelsOf(raw.extra_hosts),
  })
  return C.map(
    ({
      additionalContexts = [],
      args = [],
      extraHosts = [],
      labels = [],
      ssh: keys = [],
    }: C.ValueIn<typeof parts>) => ({
      context: resolved(raw.context ?? located('.', whole.at, whole.path)),
      ...textsOf(raw),
      args,
      additionalContexts: additionalContexts.map(resolvedContext),
      ssh: keys.map(resolvedKeys),
      labels,
      extraHosts,
    }),
  )(parts)
}
