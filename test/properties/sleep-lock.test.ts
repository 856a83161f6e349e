/** A namespace is put to sleep while somebody deploys: whatever the order of their requests, nothing stays halfway. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withResource } from '../../src/app/concurrency/resource.ts'
import { acquire } from '../../src/app/environment/lock.ts'
import { asFindings } from '../../src/app/result.ts'
import { isAsleep, keptAwake } from '../../src/app/sleep/asleep.ts'
import type { SleepWorld } from '../../src/app/sleep/lock.ts'
import { startWorkloads, stopWorkloads } from '../../src/app/sleep/sleep.ts'
import { failureDiagnostic } from '../../src/domain/cluster/failure.ts'
import { numberAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Diagnostic } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done } from '../contract/cluster-world.ts'
import { type MemoryClock, memoryClock, settle } from '../memory/clock.ts'
import { memoryCluster } from '../memory/cluster.ts'
import { memoryMachine } from '../memory/machine.ts'
import { workload } from '../support/dev/workloads.ts'

const namespace = 'demo'
const { signal } = new AbortController()

type Findings = ReadonlyArray<Diagnostic>
type Work = TE.TaskEither<Findings, unknown>

const keyOf = (name: string) => ({ resource: resources.Deployment, name, namespace })
const applied = (cluster: Cluster, name: string) =>
  cluster.apply(keyOf(name), JSON.stringify(workload('Deployment', { name })), { manager: 'devtool', force: true })

const replicas = async (cluster: Cluster): Promise<ReadonlyArray<number | undefined>> => {
  const { items } = await done(cluster.list({ resource: resources.Deployment, namespace }))
  return items.map((live) => numberAt(live, 'spec', 'replicas'))
}

/** The cluster for one of several who use it: each request waits until it is its turn. */
const inTurns = (cluster: Cluster, waiting: Array<() => void>): Cluster => {
  const later =
    <A>(request: T.Task<A>): T.Task<A> =>
    async () => {
      await new Promise<void>((resolve) => void waiting.push(resolve))
      return request()
    }
  return {
    ...cluster,
    get: (...asked) => later(cluster.get(...asked)),
    list: (...asked) => later(cluster.list(...asked)),
    apply: (...asked) => later(cluster.apply(...asked)),
    create: (...asked) => later(cluster.create(...asked)),
    replace: (...asked) => later(cluster.replace(...asked)),
    merge: (...asked) => later(cluster.merge(...asked)),
    remove: (...asked) => later(cluster.remove(...asked)),
  }
}

/** Lets requests through in an order given by `choices`; time passes only while there are none. */
const played = async (
  works: ReadonlyArray<Work>,
  waiting: Array<() => void>,
  clock: MemoryClock,
  choices: ReadonlyArray<number>,
): Promise<ReadonlyArray<E.Either<Findings, unknown>>> => {
  let isOver = false
  const ended = Promise.all(works.map((work) => work())).finally(() => {
    isOver = true
  })
  for (let step = 0; ; step += 1) {
    await settle()
    if (isOver) return ended
    const choice = choices[step % choices.length] ?? 0
    const [go] = waiting.splice(choice % Math.max(1, waiting.length), 1)
    if (go !== undefined) go()
    else await clock.advance(clock.nextMs() ?? 0)
  }
}

/** Deploys two services, and looks at the end whether they run, while it still holds the lock. */
const deploy = (world: SleepWorld, seen: (counts: ReadonlyArray<number | undefined>) => void): Work => {
  const { ports, target } = world
  const lock = acquire(ports)(target, 'shop', { breaks: false, waitsMs: 0, signal })
  const look: Work = async () => {
    seen(await replicas(target.cluster))
    return E.right(undefined)
  }
  const apply = (name: string): Work =>
    pipe(
      applied(target.cluster, name),
      TE.mapLeft((failure) => [failureDiagnostic(failure)]),
    )
  return withResource(
    asFindings(lock),
    () =>
      pipe(
        keptAwake(world),
        TE.flatMap(() => apply('new')),
        TE.flatMap(() => apply('web')),
        TE.flatMap(() => look),
        TE.flatMap(() => look),
      ),
    ({ release }) => release,
  )
}

test('law: who deploys finds everything running, and afterwards all of it runs or all of it sleeps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(), { minLength: 1, maxLength: 80 }),
      fc.boolean(),
      fc.subarray(['sleep', 'sleep too', 'wake'] as const, { minLength: 1 }),
      async (choices, startsAsleep, others) => {
        const [cluster, clock, waiting] = [
          memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] }),
          memoryClock(),
          new Array<() => void>(),
        ]
        const worldOf = (who: string, own: Cluster): SleepWorld => ({
          ports: { clock, machine: memoryMachine(who), progress: { tell: () => {}, end: () => {} } },
          target: { cluster: own, namespace },
          signal,
        })
        for (const name of ['api', 'web']) await done(applied(cluster, name))
        if (startsAsleep) await stopWorkloads(worldOf('earlier', cluster), 'earlier')()
        const counts: Array<ReadonlyArray<number | undefined>> = []
        const actor = (who: string): SleepWorld => worldOf(who, inTurns(cluster, waiting))
        const works = others.map((what) =>
          what === 'wake' ? startWorkloads(actor(what), what) : stopWorkloads(actor(what), what),
        )
        const [deployed, ...ends] = await played(
          [deploy(actor('deploy'), (seen) => void counts.push(seen)), ...works],
          waiting,
          clock,
          choices,
        )
        assert.is(deployed?._tag, 'Right', JSON.stringify(deployed))
        for (const end of ends) if (E.isLeft(end)) assert.is(end.left[0]?.code, 'DT5063', JSON.stringify(end))
        assert.equal(counts, [
          [2, 2, 2],
          [2, 2, 2],
        ])
        const sleeps = await isAsleep({ cluster, namespace }, signal)()
        assert.equal(await replicas(cluster), sleeps ? [0, 0, 0] : [2, 2, 2])
      },
    ),
    { numRuns: 150 },
  )
})

test.run()
