/** The plan of a destroy, for people and for programs. */

import * as t from 'io-ts'
import { apiVersionOf, showKey } from '../cluster/resources.ts'
import type { InventoryEntry } from '../environment/record.ts'
import { defined } from '../object/defined.ts'
import type { ActionTarget } from '../plan/action.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import { listed } from '../text/listed.ts'
import { visible } from '../text/visible.ts'
import { removalOf } from './foreign.ts'
import type { DestroyPlan } from './plan.ts'

export type DestroyPreview = DestroyPlan & {
  readonly environment: string
  readonly namespace: string
  readonly foreign: ReadonlyArray<InventoryEntry>
}

/** One line per object, in the order of the deletions. */
export const showPlan = ({ deletions, foreign, kept }: DestroyPreview): string =>
  [
    ...deletions.map(({ target }) => `delete  ${visible(showKey(target))}`),
    ...kept.map(({ because, target }) => `keep    ${visible(showKey(target))}  (${because})`),
    ...foreign.map((entry) => `leave   ${visible(`${entry.kind}/${entry.name}`)}  (${visible(removalOf(entry))})`),
  ]
    .map((line) => `${line}\n`)
    .join('')

const refOf = ({ name, resource }: ActionTarget) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, name })

const ref = {
  apiVersion: [t.string, 'API group and version'],
  kind: [t.string, 'kind of the object'],
  name: [t.string, 'name of the object'],
} as const

const Deleted = keys({
  ...ref,
  uid: [t.string, 'uid of the object; an object with another uid is not deleted'],
  stage: [t.string, 'the stage in which it is deleted; stages run one after the other'],
  propagation: [oneOf('Foreground', 'Background', 'Orphan'), 'how Kubernetes deletes the objects that it owns'],
})

const Foreign = keys(
  { ...ref, command: [t.string, 'the command that deletes it'] },
  { namespace: [t.string, 'its namespace, when it has one'] },
)

const destruction = {
  environment: [t.string, 'name of the environment'],
  namespace: [t.string, 'the namespace'],
  delete: [t.readonlyArray(Deleted), 'in the order of the deletions'],
  keep: [t.readonlyArray(keys({ ...ref, because: [t.string, 'why it is kept'] })), 'objects that are kept'],
  foreign: [t.readonlyArray(Foreign), 'objects that commands created in other namespaces; destroy leaves them alone'],
} as const

export const Destruction = document('destroy', 'What destroy deletes, or would delete with `--dry-run`.', destruction, {
  dependencies: [t.readonlyArray(keys(destruction)), 'the same for each environment that `--dependencies` took along'],
})

export const destructionOf = ({
  deletions,
  environment,
  foreign,
  kept,
  namespace,
}: DestroyPreview): DataOf<typeof Destruction> => ({
  environment,
  namespace,
  delete: deletions.map(({ precondition: { uid }, propagation, stage, target }) => ({
    ...refOf(target),
    uid,
    stage: stage.toLowerCase(),
    propagation,
  })),
  keep: kept.map(({ because, target }) => ({ ...refOf(target), because })),
  foreign: foreign.map((entry) => ({
    apiVersion: apiVersionOf(entry),
    kind: entry.kind,
    name: entry.name,
    ...defined({ namespace: entry.namespace }),
    command: removalOf(entry),
  })),
})

const things = (count: number): string => `${count} object${count === 1 ? '' : 's'}`

/** `3 objects to delete, 1 to keep`. */
export const countText = ({ deletions, kept }: DestroyPlan): string =>
  `${things(deletions.length)} to delete${kept.length === 0 ? '' : `, ${kept.length} to keep`}`

/** `2 volumes: data (1Gi), db-0 (10Gi)`: what is lost with them. `undefined` when no volume is deleted. */
export const dataText = (plan: DestroyPlan): string | undefined => {
  const volumes = plan.deletions.filter(({ stage }) => stage === 'Volumes')
  if (volumes.length === 0) return undefined
  const names = volumes.map(({ size, target: { name } }) => visible(size === undefined ? name : `${name} (${size})`))
  return `${volumes.length} volume${volumes.length === 1 ? '' : 's'}: ${listed(names)}`
}
