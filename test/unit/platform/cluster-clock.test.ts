import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { clusterClock } from '../../../src/app/platform/cluster-clock.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryClock, settle } from '../../memory/clock.ts'

const at = Date.parse('2026-11-24T10:00:00Z')
const lost: Failure = {
  _tag: 'Unreachable',
  asked: { verb: 'create', what: 'selfsubjectreviews' },
  server: '',
  cause: 'no answer',
  mayHaveHappened: true,
}

/** `told`: the time of the cluster, or that it does not answer. `own`: the clock of this machine. */
const clocks = async (own: string, told: () => string | undefined) => {
  const ahead: Array<number> = []
  const memory = memoryClock()
  let every = (): void => {}
  const base = {
    ...memory,
    wallMs: () => Date.parse(own),
    every: (_ms: number, f: () => void) => {
      every = f
      return () => {}
    },
  }
  const create: Cluster['create'] = (_, body) => {
    const creationTimestamp = told()
    if (creationTimestamp === undefined) return TE.left(lost)
    const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp }
    const review: ClusterObject = { ...body, apiVersion: '', kind: '', metadata }
    return TE.right(review)
  }
  const clock = await clusterClock({ create }, base, (ms) => () => void ahead.push(ms))
  const again = async (): Promise<void> => {
    every()
    await settle()
  }
  return { clock, ahead, again }
}

test('a clock that is minutes ahead or behind is corrected, seconds are not', async () => {
  for (const [own, date, told] of [
    ['2026-11-24T10:05:00.250Z', '2026-11-24T10:00:00Z', [300_250]],
    ['2026-11-24T09:57:00Z', '2026-11-24T10:00:00Z', [-180_000]],
    ['2026-11-24T10:00:03Z', '2026-11-24T10:00:03Z', []],
  ] as const) {
    const { ahead, clock } = await clocks(own, () => '2026-11-24T10:00:00Z')
    assert.equal([clock.date(), ahead], [date, told])
    assert.is(Math.floor(clock.wallMs() / 1000), Date.parse(date) / 1000)
  }
})

test('a cluster that does not answer is asked again, and the last difference is used meanwhile', async () => {
  let told: string | undefined
  const { again, ahead, clock } = await clocks('2026-11-24T10:05:00Z', () => told)
  assert.is(clock.date(), '2026-11-24T10:05:00Z')
  told = '2026-11-24T10:00:00Z'
  await again()
  assert.is(clock.wallMs(), at)
  told = undefined
  await again()
  assert.is(clock.wallMs(), at)
  told = '2026-11-24T10:00:01Z'
  await again()
  told = '2026-11-24T10:05:00Z'
  await again()
  assert.equal([clock.date(), ahead], ['2026-11-24T10:05:00Z', [300_000, 0]])
})

test.run()
