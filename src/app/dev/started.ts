/** Waits until the container runs and its agent answers, and finds out why it does not. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { listAt, textAt } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { podsOf } from './records.ts'
import type { DevSession } from './session.ts'

type Starting = {
  readonly target: Target
  readonly record: DevRecord
  readonly session: DevSession
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Why the containers of the pod, or the pod itself, wait. */
const waitingIn = (pod: ClusterObject): ReadonlyArray<string> => {
  const ofPod = listAt(pod, 'status', 'conditions').flatMap((condition) =>
    textAt(condition, 'status') === 'False' && textAt(condition, 'type') === 'PodScheduled'
      ? (textAt(condition, 'message') ?? [])
      : [],
  )
  const ofContainers = ['initContainerStatuses', 'containerStatuses'].flatMap((list) =>
    listAt(pod, 'status', list).flatMap((status) => {
      const reason = textAt(status, 'state', 'waiting', 'reason')
      const message = textAt(status, 'state', 'waiting', 'message')
      const name = textAt(status, 'name') ?? ''
      return reason === undefined ? [] : [`${name}: ${reason}${message === undefined ? '' : `: ${message}`}`]
    }),
  )
  return [...ofPod, ...ofContainers]
}

const reasons = async ({ record, target }: Starting): Promise<string> => {
  const listed = await podsOf(target, record)()
  const pods = E.isRight(listed) ? listed.right : []
  const found = pods.flatMap(waitingIn)
  return found.length === 0 ? 'there is no pod' : found.join('; ')
}

/** DT5056 after the time that the section allows. */
export const started =
  ({ clock, progress }: Pick<Ports, 'clock' | 'progress'>) =>
  (starting: Starting): TaskEither<Diagnostic, void> =>
  async () => {
    const { record, session, signal, timeoutMs } = starting
    const done = new AbortController()
    const late = async (): Promise<'Late'> => {
      await clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal]))
      return 'Late'
    }
    progress.tell({
      _tag: 'Step',
      id: record.dev,
      title: record.dev,
      state: 'Running',
      detail: 'starting',
      atMs: clock.now(),
    })
    const linked = await Promise.race([session.link('terminal')(), late()])
    done.abort()
    if (linked !== 'Late' && E.isRight(linked)) return E.right(undefined)
    const why = linked === 'Late' ? await reasons(starting) : linked.left.reason
    return E.left(
      error('DT5056', `${record.dev} does not start: ${why}`, {
        help: `\`devtool down ${record.dev}\` restores the workload, \`devtool up ${record.dev} --timeout 10m\` waits longer`,
      }),
    )
  }
