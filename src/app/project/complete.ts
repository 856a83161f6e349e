/** What a Compose file offers for completion: its services and profiles. Wrong files offer what can be read of them. */
import * as E from 'fp-ts/lib/Either.js'
import * as C from '../../domain/checked.ts'
import { filesFrom } from '../../domain/compose/files.ts'
import { get, type Node } from '../../domain/yaml/node.ts'
import type { Asking, Store } from './asking.ts'
import { choosing, type Wanted } from './translation.ts'

export type Offer = { readonly services: ReadonlyArray<string>; readonly profiles: ReadonlyArray<string> }

/** Reading more than this would be felt while typing. */
const limitBytes = 1024 * 1024

const keysOf = (node: Node | undefined): ReadonlyArray<string> =>
  node?._tag === 'Mapping' ? node.entries.map(({ key }) => key.text) : []

const profilesOf = (services: Node | undefined): ReadonlyArray<string> =>
  services?._tag !== 'Mapping'
    ? []
    : services.entries
        .flatMap(({ value }) => {
          const profiles = get(value, 'profiles')
          return profiles?._tag === 'Sequence' ? profiles.items : []
        })
        .flatMap((item) => (item._tag === 'Scalar' ? [item.text] : []))

/** Of the files themselves, without what they include. */
export function* offering(wanted: Wanted, store: Store): Asking<Offer> {
  const chosen = yield* choosing(wanted, store)
  if (E.isLeft(chosen)) return { services: [], profiles: [] }
  const { files: paths, folder } = chosen.right
  yield { _tag: 'Read', paths, folder }
  const files = filesFrom(store.contents, store.cache)
  const services = paths.flatMap((path) => {
    const content = store.contents.get(path)
    if (content?._tag !== 'File' || content.bytes.length > limitBytes) return []
    const documents = files.documents(path, folder)
    return documents === undefined ? [] : (C.valueOf(documents) ?? []).map((tree) => get(tree, 'services'))
  })
  return { services: [...new Set(services.flatMap(keysOf))], profiles: [...new Set(services.flatMap(profilesOf))] }
}
