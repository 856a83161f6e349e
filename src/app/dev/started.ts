/** Waits until the container runs and its agent answers, and finds out why it does not. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { KnownKind } from '../../domain/cluster/resources.ts'
import { mirrorSelector } from '../../domain/dev/names.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { beginStarting, notStarted, startingOf } from '../../domain/dev/starting.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { followKinds } from '../watch/kinds.ts'
import { developmentEnded } from './program-failure.ts'
import { interrupted } from './rounds.ts'
import type { DevSession } from './session.ts'

type StartOptions = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly record: Pick<DevRecord, 'container' | 'dev' | 'mirror'>
  readonly agentImage: string
  readonly session: Pick<DevSession, 'link'>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const kindsOf = ({ mirror }: Pick<DevRecord, 'mirror'>): ReadonlyMap<KnownKind, { readonly labels?: string }> => {
  const labels = mirrorSelector(mirror)
  return new Map([
    ['Deployment', { labels }],
    ['ReplicaSet', { labels }],
    ['Pod', { labels }],
    ['Event', {}],
  ])
}

/** DT5056 once it is known that it cannot start, or after the section's timeout. */
export const started =
  ({ clock, progress }: Pick<Ports, 'clock' | 'progress'>) =>
  (options: StartOptions): TaskEither<Diagnostic, void> =>
  async () => {
    const { agentImage, record, session, signal, target, timeoutMs } = options
    const { dev } = record
    const done = new AbortController()
    const until = AbortSignal.any([signal, done.signal])
    let seen = beginStarting
    let shown: string | undefined
    const show = (detail: string): void => {
      if (detail === shown) return
      shown = detail
      progress.tell({ _tag: 'Step', id: dev, title: dev, state: 'Running', detail, atMs: clock.now() })
    }
    const hopeless = new AbortController()
    const late = clock.sleep(timeoutMs, AbortSignal.any([until, hopeless.signal]))
    void followKinds({ clock }, { ...target, kinds: kindsOf(record), signal: until }, async (observed) => {
      seen = startingOf(record, seen, observed, clock.now())
      show(seen.detail ?? 'connecting')
      if (seen.causes.some(({ isFinal }) => isFinal)) hopeless.abort()
      return !hopeless.signal.aborted
    })
    show('connecting')
    const linked = await Promise.race([session.link('terminal')(), late])
    done.abort()
    if (signal.aborted) return E.left(interrupted)
    if (linked === undefined) return E.left(notStarted(dev, agentImage, seen))
    if (E.isRight(linked)) return E.right(undefined)
    const { _tag, reason } = linked.left
    if (_tag === 'RecordGone') return E.left(developmentEnded(dev, reason))
    const isKnown = _tag === 'NotReached' && (seen.causes.length > 0 || seen.detail !== undefined)
    return E.left(notStarted(dev, agentImage, isKnown ? seen : { ...seen, causes: [], detail: reason }))
  }
