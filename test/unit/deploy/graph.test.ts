import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runGraph } from '../../../src/app/concurrency/graph.ts'

type Job = { readonly id: string; readonly after: ReadonlyArray<string> }

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await Promise.resolve()
}

/** Each comes after some of those before it; a few names are of nobody. */
const graphs = fc
  .array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 20 })
  .map(
    (edges): ReadonlyArray<Job> =>
      edges.map((after, i) => ({ id: String(i), after: after.filter((n) => n < i || n > 18).map(String) })),
  )

test('each job begins when its dependencies are done, within the limit of parallel jobs', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(5)), async (jobs, atOnce, delays) => {
      const [begun, ended] = [new Set<string>(), new Set<string>()]
      let running = 0
      const left = await runGraph(jobs, {
        atOnce,
        isLimited: () => true,
        run: async ({ id, after }) => {
          running += 1
          assert.ok(running <= atOnce)
          assert.not(begun.has(id))
          begun.add(id)
          for (const other of after) assert.ok(ended.has(other) || !jobs.some((job) => job.id === other))
          await turns(delays[Number(id)] ?? 0)
          ended.add(id)
          running -= 1
          return true
        },
      })
      assert.equal(left, [])
      assert.is(ended.size, jobs.length)
    }),
  )
})

test('jobs above the limit begin in order', async () => {
  const jobs = Array.from({ length: 50 }, (_, i): Job => ({ id: String(i), after: i === 0 ? [] : ['0'] }))
  const begun: Array<string> = []
  await runGraph(jobs, {
    atOnce: 3,
    isLimited: ({ id }) => Number(id) % 5 > 0,
    run: async ({ id }) => {
      begun.push(id)
      await turns(Number(id) % 7)
      return true
    },
  })
  const isLimited = (id: string): boolean => Number(id) % 5 > 0
  assert.equal(begun.filter(isLimited), jobs.map(({ id }) => id).filter(isLimited))
})

test('jobs that only wait, and on which nothing depends, begin after the limited jobs', async () => {
  const jobs: ReadonlyArray<Job> = [
    { id: 'write a', after: [] },
    { id: 'await a', after: ['write a'] },
    { id: 'write b', after: ['await a'] },
    { id: 'await b', after: ['write b'] },
    { id: 'write c', after: [] },
    { id: 'await c', after: ['write c'] },
    { id: 'write d', after: [] },
  ]
  const begun: Array<string> = []
  const run = async ({ id }: Job): Promise<boolean> => {
    begun.push(id)
    return true
  }
  const left = await runGraph(jobs, { atOnce: 1, isLimited: ({ id }) => id.startsWith('write'), run })
  assert.equal(left, [])
  assert.equal(begun, ['write a', 'write c', 'await a', 'write d', 'write b', 'await c', 'await b'])
})

test('jobs that depend on a failed one never begin', async () => {
  const jobs: ReadonlyArray<Job> = [
    { id: 'a', after: [] },
    { id: 'b', after: ['a'] },
    { id: 'c', after: ['b'] },
    { id: 'd', after: [] },
  ]
  const begun: Array<string> = []
  const run = async ({ id }: Job): Promise<boolean> => {
    begun.push(id)
    return id !== 'a'
  }
  const left = await runGraph(jobs, { atOnce: 2, isLimited: () => true, run })
  assert.equal(begun.toSorted(), ['a', 'd'])
  assert.equal(
    left.map(({ id }) => id),
    ['b', 'c'],
  )
})

test('jobs in a cycle never begin, and the run still ends', async () => {
  const jobs: ReadonlyArray<Job> = [
    { id: 'a', after: ['b'] },
    { id: 'b', after: ['a'] },
  ]
  const left = await runGraph(jobs, { atOnce: 2, isLimited: () => true, run: async () => true })
  assert.is(left.length, 2)
})

test.run()
