/** Where cache is imported from and exported to: a reference, or `type=…,key=value` as in BuildKit. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error, warning } from '../diagnostic/diagnostic.ts'
import type { Span } from '../text/source.ts'
import { csvPairs } from './csv.ts'
import { optionCode } from './flags.ts'
import type { CacheEntry } from './solve.ts'

/** A text from a file or the command line. */
export type WrittenCache = { readonly value: string; readonly at?: Span; readonly path?: string }

const unusable = ({ at, path, value }: WrittenCache, why: string, help: string): Checked<never> =>
  C.fail(error(optionCode(at), `the cache "${value}" ${why}`, { at, path, help }))

/** A cache only saves time: one that the builder cannot reach is left out when a file names it. */
const typed = (said: WrittenCache): Checked<CacheEntry | undefined> => {
  const attrs = csvPairs(said.value)
  const type = attrs?.get('type') ?? ''
  if (attrs === undefined || type === '') {
    return unusable(said, 'is neither a reference nor type=…', 'write type=registry,ref=registry.example.com/cache')
  }
  if (type === 'local') {
    const { at, path, value } = said
    if (at !== undefined) {
      const message = `the cache "${value}" has no effect: a folder of this machine is no cache for a builder`
      return C.note(undefined, [warning('DT1102', message, { at, path, help: 'use type=registry or type=inline' })])
    }
    return unusable(said, 'is not supported: it is a folder', 'use type=registry or type=inline')
  }
  return C.ok({ type, attrs: new Map([...attrs].filter(([key]) => key !== 'type')) })
}

const isTyped = ({ value }: WrittenCache): boolean => /(?:^|,)\s*"?type=/i.test(value)

/** Finds DT4031; warns DT1102. */
export const readCacheImport = (said: WrittenCache): Checked<CacheEntry | undefined> =>
  isTyped(said) ? typed(said) : C.ok({ type: 'registry', attrs: new Map([['ref', said.value]]) })

/**
 * For a reference that is one of `names`, the cache is stored inline in the image; any other reference becomes a
 * separate cache with all steps. Finds DT4024, DT4031; warns DT1102.
 */
export const readCacheExport =
  ({ isDocker, names }: { readonly isDocker: boolean; readonly names: ReadonlyArray<string> }) =>
  (said: WrittenCache): Checked<CacheEntry | undefined> => {
    const isOwn = names.includes(said.value)
    const bare: CacheEntry = isOwn
      ? { type: 'inline', attrs: new Map() }
      : {
          type: 'registry',
          attrs: new Map([
            ['ref', said.value],
            ['mode', 'max'],
          ]),
        }
    const entry = isTyped(said) ? typed(said) : C.ok(bare)
    return C.andThen((read: CacheEntry | undefined): Checked<CacheEntry | undefined> => {
      if (read === undefined) return C.ok(undefined)
      const { attrs, type } = read
      const { at, path, value } = said
      if (isDocker && type !== 'inline') {
        const message = `the Docker daemon cannot export the cache "${value}"`
        const help = 'use type=inline, or a BuildKit with BUILDKIT_HOST'
        return C.fail(error('DT4024', message, { at, path, help }))
      }
      return C.ok({
        type,
        attrs: type === 'inline' || attrs.has('mode') ? attrs : new Map([...attrs, ['mode', 'min']]),
      })
    })(entry)
  }

/** Without duplicates, and without those that are left out. */
export const distinctEntries = (entries: ReadonlyArray<CacheEntry | undefined>): ReadonlyArray<CacheEntry> => [
  ...new Map(
    entries
      .filter((entry) => entry !== undefined)
      .map((entry) => [JSON.stringify([entry.type, ...entry.attrs]), entry]),
  ).values(),
]
