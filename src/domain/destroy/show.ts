/** A plan of destruction for people and for programs. */

import { apiVersionOf, showKey } from '../cluster/resources.ts'
import type { Entry } from '../environment/record.ts'
import type { Target } from '../plan/action.ts'
import { visible } from '../text/visible.ts'
import { removalOf } from './foreign.ts'
import type { DestroyPlan } from './plan.ts'

export type Shown = DestroyPlan & {
  readonly environment: string
  readonly namespace: string
  readonly foreign: ReadonlyArray<Entry>
}

/** One line an object, in the order of the deletions. */
export const showPlan = ({ deletions, foreign, kept }: Shown): string =>
  [
    ...deletions.map(({ target }) => `delete  ${visible(showKey(target))}`),
    ...kept.map(({ because, target }) => `keep    ${visible(showKey(target))}  (${because})`),
    ...foreign.map((entry) => `leave   ${visible(`${entry.kind}/${entry.name}`)}  (${visible(removalOf(entry))})`),
  ]
    .map((line) => `${line}\n`)
    .join('')

const refOf = ({ name, resource }: Target) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, name })

/** To be printed with its `schema`. `delete` in the order of the deletions. */
export const planData = ({ deletions, environment, foreign, kept, namespace }: Shown) => ({
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
    ...(entry.namespace === undefined ? {} : { namespace: entry.namespace }),
    command: removalOf(entry),
  })),
})

const things = (count: number): string => `${count} object${count === 1 ? '' : 's'}`

/** `3 objects to delete, 1 to keep`. */
export const countText = ({ deletions, kept }: DestroyPlan): string =>
  `${things(deletions.length)} to delete${kept.length === 0 ? '' : `, ${kept.length} to keep`}`
