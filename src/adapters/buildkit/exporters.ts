/** The request to a builder: the message of Control/Solve. */
import type { CacheEntry, Solve } from '../../domain/build/solve.ts'
import type { Builder } from '../../ports/builder.ts'
import type { SolveRequest } from './gen/buildkit.ts'
import type { ReachedBuilder } from './reach.ts'

type BuilderKind = Builder['kind']

export const kindOf = ({ _tag }: ReachedBuilder): BuilderKind => (_tag === 'Docker' ? 'Docker' : 'BuildKit')

type Export = { readonly type: string; readonly attrs: Map<string, string> }

/**
 * BuildKit pushes images itself and has no image store; it sends those to load as an archive. The Docker daemon has a
 * store, from which images are pushed afterwards.
 */
const exportOf = (kind: BuilderKind, { names, output, rewritesTimes }: Solve): Export | undefined => {
  const name = new Map<string, string>([
    ...(names.length === 0 ? [] : [['name', names.join(',')] as const]),
    ...(rewritesTimes === true ? [['rewrite-timestamp', 'true'] as const] : []),
  ])
  if (kind === 'Docker') return { type: 'moby', attrs: name }
  if (output === 'Load') return { type: 'docker', attrs: name }
  return output === 'Push' && names.length > 0 ? { type: 'image', attrs: name.set('push', 'true') } : undefined
}

const cacheEntries = (entries: ReadonlyArray<CacheEntry>): Array<Export> =>
  entries.map(({ attrs, type }) => ({ type, attrs: new Map(attrs) }))

/** The frontend imports caches known at the start, the solver those that come up later: both need the list. */
export const frontendAttrs = ({ cacheImports, frontend }: Solve): Map<string, string> => {
  const imports = cacheImports.map(({ attrs, type }) => ({ Type: type, Attrs: Object.fromEntries(attrs) }))
  return new Map([...frontend, ...(imports.length === 0 ? [] : [['cache-imports', JSON.stringify(imports)] as const])])
}

/** Begins a build whose frontend is the client. */
export const noExport = (ids: { readonly ref: string; readonly session: string }): SolveRequest => ({
  ...ids,
  frontend: '',
  frontendAttrs: new Map(),
  cache: undefined,
  entitlements: [],
  exporters: [],
  exporterDeprecated: '',
  exporterAttrsDeprecated: new Map(),
})

/** Fields for a single exporter are for daemons that know no others. */
export const solveRequest = (
  kind: BuilderKind,
  ids: { readonly ref: string; readonly session: string },
  solve: Solve,
): SolveRequest => {
  const exporter = exportOf(kind, solve)
  return {
    ...ids,
    frontend: 'dockerfile.v0',
    frontendAttrs: frontendAttrs(solve),
    cache: { exports: cacheEntries(solve.cacheExports), imports: cacheEntries(solve.cacheImports) },
    entitlements: [...(solve.entitlements ?? [])],
    exporters: exporter === undefined ? [] : [exporter],
    exporterDeprecated: exporter?.type ?? '',
    exporterAttrsDeprecated: exporter?.attrs ?? new Map(),
  }
}
