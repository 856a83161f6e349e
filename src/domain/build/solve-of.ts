/** Turns an image, and what is known about this machine, into a request to a builder. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { defined } from '../object/defined.ts'
import { resolvePath } from '../text/path.ts'
import { argsOf, type BuildFacts } from './args.ts'
import { distinctEntries, readCacheExport, readCacheImport, type WrittenCache } from './cache.ts'
import { contextsOf, fetched, type NamedContext, urlFault } from './contexts.ts'
import { EPOCH, epochOf } from './epoch.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'
import { unnameable } from './mistakes.ts'
import { optionsOf } from './options.ts'
import { isRemote } from './read-image.ts'
import { keysOf, secretsOf } from './secrets.ts'
import type { BuildOutput, Served, Solve } from './solve.ts'
import { unloadable } from './unloadable.ts'

/**
 * `cwd` is the base of the image's relative paths. `dockerfile`: the (absolute) folder and name of the one that was
 * found; absent when it is inline, or comes with a remote context. `names`: references for the image. `root`: see
 * `Solve`.
 */
export type SolveFacts = BuildFacts & {
  readonly cwd: string
  readonly dockerfile?: { readonly folder: string; readonly file: string } | undefined
  readonly names: ReadonlyArray<string>
  readonly output: BuildOutput
  readonly isDocker: boolean
  readonly root?: string | undefined
}

/** Attributes of the frontend, and the folders that are served to the builder. */
type Files = {
  readonly attrs: ReadonlyArray<readonly [string, string]>
  readonly served: ReadonlyArray<readonly [string, Served]>
  readonly secrets?: Solve['secrets']
}

/** A remote context contains its own Dockerfile, unless there is an inline one. */
const dockerfileOf = (
  { dockerfile, dockerfileInline }: Image,
  found: SolveFacts['dockerfile'],
  isFetched: boolean,
): Files => {
  if (dockerfileInline !== undefined) {
    const text: Served = { _tag: 'Text', file: 'Dockerfile', text: dockerfileInline.value }
    const attrs = [
      ['filename', 'Dockerfile'],
      ...(isFetched ? [['dockerfilekey', 'dockerfile'] as const] : []),
    ] as const
    return { attrs, served: [['dockerfile', text]] }
  }
  if (isFetched || found === undefined) {
    return { attrs: dockerfile === undefined ? [] : [['filename', dockerfile.value]], served: [] }
  }
  return { attrs: [['filename', found.file]], served: [['dockerfile', { _tag: 'Folder', path: found.folder }]] }
}

const contextOf = ({ context: { value } }: Image, cwd: string): Files => {
  if (!isRemote(value)) return { attrs: [], served: [['context', { _tag: 'Folder', path: resolvePath(cwd, value) }]] }
  const { secrets, url } = fetched(value)
  return { attrs: [['context', url]], served: [], secrets }
}

/** Every build uses these two names itself. */
const servedName = (name: string): string => (name === 'context' || name === 'dockerfile' ? `_${name}` : name)

const furtherContexts = (contexts: ReadonlyArray<NamedContext>): Files => ({
  attrs: contexts.map((context) => [
    `context:${context.name}`,
    context._tag === 'Url' ? context.url : `local:${servedName(context.name)}`,
  ]),
  served: contexts.flatMap((context) =>
    context._tag === 'Url' ? [] : [[servedName(context.name), { _tag: 'Folder', path: context.path }] as const],
  ),
  secrets: contexts.flatMap((context) => (context._tag === 'Url' ? context.secrets : [])),
})

/** Privileges that the builder has to be allowed to grant. */
const entitlementsOf = ({ entitlements = [] }: Image, frontend: Solve['frontend']): Pick<Solve, 'entitlements'> => {
  const host = frontend.get('force-network-mode') === 'host' ? ['network.host'] : []
  const all = new Set([...host, ...entitlements.map(({ value }) => value)])
  return all.size === 0 ? {} : { entitlements: [...all] }
}

const said = (texts: ReadonlyArray<string>): ReadonlyArray<WrittenCache> => texts.map((value) => ({ value }))

/** What the file or the command line says wins over what a URL says. */
const byId = (secrets: Solve['secrets']): Solve['secrets'] => [
  ...new Map(secrets.map((secret) => [secret.id, secret])).values(),
]

/** Finds DT2001, DT4015, DT4024, DT4031; warns DT1104, DT4042. Whether files exist is not checked. */
export const solveOf = (raw: Image, facts: SolveFacts): Checked<Solve> => {
  const { cwd, flags, names, output } = facts
  const image = withBuilt(raw, facts)
  const isFetched = isRemote(image.context.value)
  const cacheExport = readCacheExport({ isDocker: facts.isDocker, names })
  const parts = C.struct({
    args: argsOf(image, facts),
    options: optionsOf(image, flags),
    contexts: C.map(furtherContexts)(contextsOf(image, facts)),
    imports: C.each(readCacheImport)([...image.cacheFrom, ...said(flags.cacheFrom)]),
    exports: C.each(cacheExport)([...image.exportCache, ...said(flags.exportCache)]),
    secrets: secretsOf(image, facts),
    url: C.note(
      undefined,
      [urlFault(image.context)].flatMap((fault) => fault ?? []),
    ),
    names: C.note(undefined, unnameable(image, /[@$]/)),
  })
  const solve = C.map(
    ({ args, contexts, exports = [], imports = [], options = [], secrets = [] }: C.ValueIn<typeof parts>): Solve => {
      const files = [
        contextOf(image, cwd),
        dockerfileOf(image, facts.dockerfile, isFetched),
        ...(contexts ? [contexts] : []),
      ]
      const buildArgs = [...(args ?? [])].map(([name, value]) => [`build-arg:${name}`, value] as const)
      const epoch = epochOf(facts)
      const times = epoch === undefined ? [] : [[`build-arg:${EPOCH}`, epoch] as const]
      const frontend = new Map([...files.flatMap(({ attrs }) => attrs), ...options, ...times, ...buildArgs])
      return {
        frontend,
        served: new Map(files.flatMap(({ served }) => served)),
        names,
        output,
        cacheImports: distinctEntries(imports),
        cacheExports: distinctEntries(exports),
        secrets: byId([...files.flatMap((one) => one.secrets ?? []), ...secrets]),
        ssh: keysOf(image, facts),
        ...entitlementsOf(image, frontend),
        ...defined({ root: facts.root }),
        ...(flags.isReproducible === true ? { rewritesTimes: true } : {}),
      }
    },
  )(parts)
  if (output !== 'Load' || facts.isDocker) return solve
  return C.andThen((wanted: Solve) => C.note(wanted, unloadable(image, flags, wanted.frontend)))(solve)
}
