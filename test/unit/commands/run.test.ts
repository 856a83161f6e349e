/** Commands of a manifest, with real shells and a cluster that only records what it is asked. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { processCommands } from '../../../src/adapters/process/commands.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import {
  type CommandsFailed,
  type CommandsRan,
  type CommandsToRun,
  runCommands,
} from '../../../src/app/commands/commands.ts'
import type { ProgressEvent } from '../../../src/domain/progress/event.ts'
import type { Cluster, Created } from '../../../src/ports/cluster.ts'
import { memoryClock } from '../../memory/clock.ts'

const created: Created = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  name: 'a',
  uid: 'u',
  isForeign: false,
}

type Recorder = { readonly events: Array<ProgressEvent>; closed: number; scope: unknown }

const runIn = async (
  lines: ReadonlyArray<string>,
  more: Partial<CommandsToRun> = {},
): Promise<Recorder & { readonly result: E.Either<CommandsFailed, CommandsRan> }> => {
  const seen: Recorder = { events: [], closed: 0, scope: undefined }
  const labelling: Cluster['labelling'] = (scope) => {
    seen.scope = scope
    const close = (): Promise<void> => {
      seen.closed += 1
      return Promise.resolve()
    }
    return TE.right({ kubeconfig: '/tmp/of-the-proxy', created: () => [created], close })
  }
  const world = {
    clock: { ...memoryClock(), sleep: () => Promise.resolve() },
    progress: { tell: (event: ProgressEvent) => void seen.events.push(event), end: () => {} },
    commands: processCommands(systemClock, () => undefined),
  }
  const result = await runCommands(world)({
    target: { context: 'kind', cluster: { labelling }, namespace: 'demo' },
    environment: 'shop',
    commands: lines.map((command) => ({ name: command, command })),
    folder: tmpdir(),
    variables: new Map([['PATH', process.env['PATH'] ?? '']]),
    secrets: [],
    bash: true,
    signal: new AbortController().signal,
    ...more,
  })()
  return { ...seen, result }
}

const outputs = (events: ReadonlyArray<ProgressEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event._tag === 'Output' ? [event.text] : []))
const states = (events: ReadonlyArray<ProgressEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event._tag === 'Step' ? [`${event.id} ${event.state}`] : []))

test('commands run one after the other, and their objects are reported', async () => {
  const { closed, events, result, scope } = await runIn(['echo one', 'echo $KUBECONFIG'])
  assert.equal(scope, { context: 'kind', namespace: 'demo', environment: 'shop' })
  assert.equal(outputs(events), ['one', '/tmp/of-the-proxy'])
  assert.equal(states(events), ['command/0 Running', 'command/0 Done', 'command/1 Running', 'command/1 Done'])
  assert.is(closed, 1)
  assert.ok(E.isRight(result))
  assert.equal(result.right.created, [created])
})

test('variables exported by a command are set for later ones', async () => {
  const { events, result } = await runIn([
    'echo "URL=http://a b" >> $DEVTOOL_ENV; echo not a line >> $DEVTOOL_ENV',
    'echo "$URL"; echo "LEVEL=2" >> $DEVTOOL_ENV',
    'echo $LEVEL $DEVTOOL_ENV',
  ])
  const [url, last = ''] = outputs(events)
  assert.is(url, 'http://a b')
  assert.match(last, /^2 .*env$/)
  assert.not(existsSync(last.slice(2)))
  assert.ok(E.isRight(result))
  assert.equal(Object.fromEntries(result.right.exported), { URL: 'http://a b', LEVEL: '2' })
  assert.equal(
    result.right.findings.map(({ code }) => code),
    ['DT3505'],
  )
  assert.is(events.filter(({ _tag }) => _tag === 'Found').length, 1)
})

test('the first failure stops the commands; objects created until then are reported', async () => {
  const { closed, events, result } = await runIn(['echo A=1 > $DEVTOOL_ENV; exit 7', 'echo never'])
  assert.ok(E.isLeft(result))
  assert.is(result.left.diagnostic.code, 'DT3501')
  assert.match(result.left.diagnostic.message, /exited with status 7$/)
  assert.equal(result.left.created, [created])
  assert.equal([...result.left.exported], [['A', '1']])
  assert.equal(states(events), ['command/0 Running', 'command/0 Failed'])
  assert.is(closed, 1)
})

test('a command whose program was killed gives the usual reason', async () => {
  const { result } = await runIn(['sh -c "kill -9 $$"'])
  assert.ok(E.isLeft(result))
  assert.match(result.left.diagnostic.message, /exited with status 137 \(signal 9\)$/)
  assert.match(result.left.diagnostic.help ?? '', 'memory ran out')
})

test('a missing command has its own code', async () => {
  const { result } = await runIn(['echo'], { variables: new Map([['PATH', '/nonexistent']]) })
  assert.is(E.isLeft(result) && result.left.diagnostic.code, 'DT3502')
  const ran = await runIn(['echo sh'], { bash: false })
  assert.equal(outputs(ran.events), ['sh'])
})

for (const [reason, code] of [
  ['timeout', 'DT3120'],
  [undefined, 'DT3121'],
] as const) {
  test(`the signal ends a command, and no other one starts (${code})`, async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(reason), 300)
    const { events, result } = await runIn(['sleep 20', 'echo never'], { signal: stop.signal })
    assert.is(E.isLeft(result) && result.left.diagnostic.code, code)
    assert.equal(outputs(events), [])
  })
}

test('secrets are masked wherever a command is mentioned', async () => {
  const secrets = ['hunter22', 'line one\nline two']
  const { events, result } = await runIn(['echo hunter22; printf "line two"; hunter22=1 false'], { secrets })
  assert.equal(outputs(events), ['***', '***'])
  assert.not.match(JSON.stringify([events, result]), /hunter22/)
})

test('without commands nothing is started', async () => {
  const { result, scope } = await runIn([])
  assert.is(scope, undefined)
  assert.ok(E.isRight(result))
})

test.run()
