/** What `platform gc` prints as data. */
import * as t from 'io-ts'
import { defined } from '../../object/defined.ts'
import { type DataOf, document, keys } from '../../print/document.ts'
import type { Garbage } from './garbage.ts'

const FoundGarbage = keys(
  {
    kind: [t.string, 'kind of the object'],
    name: [t.string, 'its name'],
    why: [t.string, 'why nobody needs it'],
    isDeleted: [t.boolean, 'whether it was deleted; what was changed meanwhile is not'],
  },
  { namespace: [t.string, 'its namespace'] },
)

export const GarbageList = document('platform gc', 'Leftovers of the platform that nobody needs any more.', {
  isDryRun: [t.boolean, 'whether they were only listed'],
  objects: [t.readonlyArray(FoundGarbage), 'each object that was found'],
})

export const garbageList = (
  found: ReadonlyArray<Garbage>,
  deleted: ReadonlyArray<Garbage>,
  isDryRun: boolean,
): DataOf<typeof GarbageList> => ({
  isDryRun,
  objects: found.map((one) => {
    const { kind, metadata } = one.live
    const { name, namespace } = metadata
    return { kind, name, why: one.why, isDeleted: deleted.includes(one), ...defined({ namespace }) }
  }),
})
