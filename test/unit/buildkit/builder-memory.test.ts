import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import type { Builder, Builders } from '../../../src/ports/builder.ts'
import { memoryBuilders } from '../../memory/builder.ts'

const solve = (name: string): Solve => ({
  ...{
    frontend: new Map(),
    served: new Map(),
    output: 'Push',
    cacheImports: [],
    cacheExports: [],
    secrets: [],
    ssh: [],
  },
  names: [name],
})

const choice = {
  address: { _tag: 'Unix', path: '/run/buildkit.sock' },
  keepalive: { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 1, whileIdle: false },
} as const

const never = new AbortController().signal

const connected = async (builders: Builders): Promise<Builder> => {
  const builder = await builders.connect(choice, never)()
  if (E.isRight(builder)) return builder.right
  throw new Error('not connected')
}

test('the builder in memory builds or fails as scripted, and records requests', async () => {
  const said: BuildEvent = { _tag: 'Log', vertex: 'a', isError: false, text: 'hello' }
  const failure: BuildFailure = { _tag: 'Failed', message: 'no', code: 2, sources: [] }
  const images = new Map([['bad:1', { events: [said], failure }]])
  const memory = memoryBuilders({ kind: 'Docker', images })
  const builder = await connected(memory)
  const told: Array<BuildEvent> = []
  const tell = (events: ReadonlyArray<BuildEvent>): void => {
    told.push(...events)
  }
  const good = await builder.build(solve('good:1'), tell, never)()
  assert.equal(good, E.right({ digest: `sha256:${'1'.padStart(64, '0')}` }))
  assert.equal(await builder.build(solve('bad:1'), tell, never)(), E.left(failure))
  assert.equal(told, [said])
  assert.is(builder.kind, 'Docker')
  assert.equal(
    memory.solves().map(({ names }) => names),
    [['good:1'], ['bad:1']],
  )
  assert.equal(memory.choices(), [choice])
  assert.is(memory.open(), 1)
  builder.close()
  builder.close()
  assert.is(memory.open(), 0)
})

test('an endless build ends with an abort', async () => {
  const builder = await connected(memoryBuilders({ images: new Map([['a:1', { endless: true }]]) }))
  const giving = new AbortController()
  const built = builder.build(solve('a:1'), () => {}, giving.signal)()
  giving.abort()
  assert.equal(await built, E.left({ _tag: 'Aborted' }))
})

test('connecting to an unreachable builder fails', async () => {
  const unreachable: BuildFailure = { _tag: 'Unreachable', address: 'unix:///x', cause: 'there is no such socket' }
  assert.equal(await memoryBuilders({ unreachable }).connect(choice, never)(), E.left(unreachable))
})

test.run()
