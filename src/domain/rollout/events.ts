/** Kubernetes events about an object, newest first. */
import { numberAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, type Observed } from '../cluster/live.ts'
import { defined } from '../object/defined.ts'

/** `at`: when it was last reported, by the cluster's clock. `count`: how often. `container`: the one it is about. */
export type Happening = {
  readonly reason: string
  readonly message: string
  readonly isWarning: boolean
  readonly count: number
  readonly at: string
  readonly container?: string
}

const containerIn = (event: ClusterObject): string | undefined =>
  /^spec\.\w+\{(.+)\}$/.exec(textAt(event, 'involvedObject', 'fieldPath') ?? '')?.[1]

/** Before the message of the tenth event and later ones that differ in no more than their text. */
const COMBINED = '(combined from similar events): '

const messageOf = (event: ClusterObject): string => {
  const message = textAt(event, 'message') ?? ''
  return message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message
}

export const readHappening = (event: ClusterObject): Happening => ({
  reason: textAt(event, 'reason') ?? '',
  message: messageOf(event),
  isWarning: textAt(event, 'type') === 'Warning',
  count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
  ...defined({ container: containerIn(event) }),
  at:
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    '',
})

/** A total order, so the result does not depend on the order in which events arrive. */
const compare = (a: Happening, b: Happening): number => {
  const [left, right] = [`${b.at} ${b.reason} ${b.message}`, `${a.at} ${a.reason} ${a.message}`]
  if (left === right) return 0
  return left < right ? -1 : 1
}

export const happeningsOf = (observed: Observed, uid: string): ReadonlyArray<Happening> =>
  allOf(observed, 'Event')
    .filter((event) => textAt(event, 'involvedObject', 'uid') === uid)
    .map(readHappening)
    .toSorted(compare)

/** `Failed: Error: ErrImagePull`, with the count if it is more than one. What a probe printed is often nothing. */
export const showHappening = ({ count, message, reason }: Happening): string =>
  `${reason}: ${message.trim().replace(/:$/, '')}${count > 1 ? ` (${count} times)` : ''}`
