/** The last line of `--progress json`, and that nothing else than JSON is among the lines before it. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../src/adapters/tty/progress.ts'
import { Diagnostic } from '../../src/domain/diagnostic/codec.ts'
import type { DataOf } from '../../src/domain/print/document.ts'
import { EndLine } from '../../src/domain/progress/documents.ts'
import { buildWorld } from '../support/build/world.ts'

const worldOf = () =>
  buildWorld({
    files: { 'compose.yaml': `name: shop\nservices: {web: {image: nginx, ports: ["80:80"]}}\n` },
    memory: { namespace: 'demo' },
  })

const isFinding = (line: string): boolean => E.isRight(Diagnostic.decode(JSON.parse(line)))

/** There is one, and it is the last line. */
const endOf = (stderr: string): DataOf<typeof EndLine> => {
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line): { readonly type?: string } => JSON.parse(line))
  assert.equal(
    lines.flatMap(({ type }, index) => (type === 'end' ? [index] : [])),
    [lines.length - 1],
    stderr,
  )
  const end = EndLine.codec.decode(lines.at(-1))
  if (end._tag === 'Left') throw new Error(stderr)
  return end.right
}

test('the last event of a successful deploy has its endpoints, durations and counts', async () => {
  const { stderr } = await worldOf().run('deploy', '--yes', '--progress', 'json')
  const { durations, endpoints, environment, exitStatus, namespace, status, steps } = endOf(stderr)
  assert.equal(
    { environment, exitStatus, namespace, status },
    {
      environment: 'shop',
      exitStatus: 0,
      namespace: 'demo',
      status: 'succeeded',
    },
  )
  assert.ok(endpoints.length > 0, stderr)
  assert.is(durations.length, steps.done)
  assert.is(steps.failed + steps.skipped + steps.open, 0)
})

test('the last event of a failed run has its exit status and findings', async () => {
  const world = worldOf()
  for (const argv of [
    ['build', 'nothing', '--progress', 'json'],
    ['deploy', '--timeout', 'soon', '--progress', 'json'],
    ['deploy', '--unknown', '--progress=json'],
    ['destroy', '--progress', 'json', '--volumes=yes'],
  ]) {
    const { status, stderr } = await world.run(...argv)
    const end = endOf(stderr)
    assert.equal(
      [end.status, end.exitStatus, end.findings.error],
      ['failed', status, stderr.split('"severity":"error"').length - 1],
      stderr,
    )
  }
})

test('the last event of an interrupted run reports the interruption', async () => {
  const world = worldOf()
  world.interrupt()
  const { stderr } = await world.run('deploy', '--yes', '--progress', 'json')
  const { exitStatus, status } = endOf(stderr)
  assert.equal([status, exitStatus], ['interrupted', 130], stderr)
})

test('a run that is ended at once writes its last event when the process exits', () => {
  let written = ''
  let exit: (status: number) => void = () => {}
  const screen = { screen: { write: (text: string) => (written += text) }, isTerminal: false, color: false }
  const clock = { now: () => 0, every: () => () => {} }
  const onExit = (f: typeof exit): void => {
    exit = f
  }
  const progress = ttyProgress({ stdout: screen, stderr: screen, mode: 'json', env: {}, clock, hasEnd: true, onExit })
  progress.tell({ _tag: 'Step', id: 'web', title: 'web', state: 'Running', atMs: 0 })
  exit(143)
  const { exitStatus, status, steps } = endOf(written)
  assert.equal([status, exitStatus, steps.open], ['interrupted', 143, 1])
})

test('a usage error is printed in the requested form', async () => {
  for (const argv of [
    ['list', '--unknown', '-o', 'json'],
    ['deploy', '--unknown', '--output=json'],
  ]) {
    const { stderr } = await worldOf().run(...argv)
    assert.ok(isFinding(stderr.trimEnd()), stderr)
  }
})

test.run()
