/** No test is lost in silence: files that hang, die or run nothing are planted beside sound ones, and each must be noticed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { binPath, runNode } from '../../scripts/command.ts'
import { add, none, showTally } from '../../scripts/tally.ts'
import { runTests, type TestRun } from '../../scripts/test-processes.ts'

const forever = 'setInterval(() => undefined, 1_000)'
const stray = (detached: boolean): string => `import { spawn } from 'node:child_process'
  spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 20_000)'], { stdio: 'inherit', detached: ${detached} }).unref()`

const bodies = {
  sound: "test('one', () => undefined)\ntest('two', () => undefined)\ntest.run()",
  failing: "test('good', () => undefined)\ntest('bad', () => { throw new Error('the reason') })\ntest.run()",
  hanging: `${forever}\ntest('waits', () => { console.log('last words'); return new Promise(() => undefined) })\ntest.run()`,
  lingering: `${forever}\ntest('one', () => undefined)\ntest.run()`,
  killed: "test('one', () => undefined)\ntest('two', () => process.kill(process.pid, 'SIGSEGV'))\ntest.run()",
  throwing: "test('one', () => undefined)\ntest.run()\nsetTimeout(() => { throw new Error('too late') }, 200)",
  broken: "throw new Error('at once')",
  early: "test('one', () => undefined)\ntest('two', () => process.exit(0))\ntest.run()",
  silent: "process.exit(0)\ntest('one', () => undefined)\ntest.run()",
  forgotten: "test('one', () => undefined)",
  stuck: "test('never ends', () => new Promise(() => undefined))\ntest.run()",
  empty: 'test.run()',
  skipped: "test.skip('one', () => undefined)\ntest.skip('two', () => undefined)\ntest.run()",
  parent: `${stray(false)}\ntest('one', () => undefined)\ntest.run()`,
  'parent-of-a-group': `${stray(true)}\ntest('one', () => undefined)\ntest.run()`,
} as const
type Planted = keyof typeof bodies

type Context = { folder: string; runs: ReadonlyArray<TestRun> }
const test = suite<Context>('test runner', { folder: '', runs: [] })

const pathOf = (folder: string, name: string): string => join(folder, `${name}.test.ts`)

test.before(async (world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'runner-'))
  writeFileSync(join(world.folder, 'package.json'), '{ "type": "module" }')
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(pathOf(world.folder, name), `import { test } from '${import.meta.resolve('uvu')}'\n${body}\n`)
  }
  const names = Object.keys(bodies)
  const filesOf = (some: ReadonlyArray<string>) => some.map((name) => pathOf(world.folder, name))
  const runs = await Promise.all([
    runTests(filesOf(['hanging']), { jobs: 1, limitSeconds: 30 }),
    runTests(filesOf(names.filter((name) => name !== 'hanging')), { jobs: 2, limitSeconds: 100, lingerSeconds: 3 }),
  ])
  world.runs = runs.flat()
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

/** What the runner makes of each: its tally, and the problem besides failed tests. */
const expected: Readonly<Record<Planted, readonly [tally: string, problem?: string]>> = {
  sound: ['2 passed, 0 failed'],
  failing: ['1 passed, 1 failed'],
  hanging: ['0 passed, 1 failed', 'still running after 30 s'],
  lingering: ['1 passed, 1 failed', 'still running 3 s after its tests were done'],
  killed: ['0 passed, 1 failed', 'ended by SIGSEGV'],
  throwing: ['1 passed, 1 failed', 'ended with status 1 though no test failed'],
  broken: ['0 passed, 1 failed', 'ended with status 1 before its tests were done'],
  early: ['0 passed, 1 failed', 'ended with status 1 before its tests were done'],
  silent: ['0 passed, 1 failed', 'ended with status 0 before its tests were done'],
  forgotten: ['0 passed, 1 failed', 'ended with status 0 before its tests were done'],
  stuck: ['0 passed, 1 failed', 'ended with status 1 before its tests were done'],
  empty: ['0 passed, 1 failed', 'has no tests'],
  skipped: ['0 passed, 0 failed, 2 skipped'],
  parent: ['1 passed, 0 failed'],
  'parent-of-a-group': ['1 passed, 0 failed'],
}

for (const [name, [tally, problem]] of Object.entries(expected)) {
  test(`the ${name} file counts as ${tally}${problem === undefined ? '' : `: ${problem}`}`, ({ runs }) => {
    const run = runs.find(({ file }) => basename(file) === `${name}.test.ts`)
    assert.is(run && showTally(run.tally), tally, run?.output)
    assert.is(run?.problem, problem, run?.output)
  })
}

test('what failed in a process that it shares, and not alone, has failed', async ({ folder }) => {
  const both = [pathOf(folder, 'sound'), pathOf(folder, 'sharing')]
  writeFileSync(
    both[1] ?? '',
    `import { test } from '${import.meta.resolve('uvu')}'
    test('alone', () => { if (globalThis.UVU_DEFER === 1) throw new Error('not alone') })\ntest.run()`,
  )
  const runs = await runTests(both, { jobs: 1, limitSeconds: 100 })
  assert.is(showTally(runs.map(({ tally }) => tally).reduce(add, none)), '3 passed, 1 failed')
  assert.match(runs.find(({ problem }) => problem === 'failed among others, and not alone')?.output ?? '', 'not alone')
})

test('what a file printed before it was killed is kept', ({ runs }) => {
  assert.match(runs.find(({ file }) => file.endsWith('hanging.test.ts'))?.output ?? '', 'last words')
})

test('all files are counted, whatever happens to the others', ({ runs }) => {
  assert.is(runs.length, Object.keys(bodies).length)
  assert.is(showTally(runs.map(({ tally }) => tally).reduce(add, none)), '7 passed, 11 failed, 2 skipped')
})

test('files that run in turn never run at the same time, and the others do not wait for them', async ({ folder }) => {
  const [held, met] = ['held', 'met'].map((name) => JSON.stringify(join(folder, name)))
  const wait = (isOver: string): string =>
    `while (!(${isOver})) await new Promise((resolve) => setTimeout(resolve, 50))`
  const alone = `mkdirSync(${held}); ${wait(`existsSync(${met})`)}; rmdirSync(${held})`
  const bodyOf = { 'turn-a': alone, 'turn-b': alone, 'turn-c': alone, meeting: `mkdirSync(${met})` }
  const files = Object.entries(bodyOf).map(([name, body]) => {
    const imports = `import { test } from '${import.meta.resolve('uvu')}'
    import { existsSync, mkdirSync, rmdirSync } from 'node:fs'`
    writeFileSync(pathOf(folder, name), `${imports}\ntest('it', async () => { ${body} })\ntest.run()\n`)
    return pathOf(folder, name)
  })
  const inTurn = (file: string): boolean => basename(file).startsWith('turn-')
  const runs = await runTests(files, { jobs: 4, limitSeconds: 100, inTurn })
  assert.is(showTally(runs.map(({ tally }) => tally).reduce(add, none)), '4 passed, 0 failed')
})

const runSuite = (...files: ReadonlyArray<string>) => runNode([binPath('tsx'), 'scripts/test.ts', 'unit', ...files])

test('given files are run alone; the last line is their sum, the status says whether all passed', async ({
  folder,
}) => {
  const sound = await runSuite(pathOf(folder, 'sound'))
  assert.match(sound.output, /sound\.test\.ts {2}\(2 passed, 0 failed, [\d.]+ s\)\n2 passed, 0 failed\n$/)
  assert.is(sound.status, 0)
  const [failing, early] = [pathOf(folder, 'failing'), pathOf(folder, 'early')]
  const both = await runSuite(failing, early)
  assert.match(both.output, 'the reason')
  assert.match(both.output, 'early.test.ts  (0 passed, 1 failed')
  assert.match(both.output, /\nfailed: .*\n1 passed, 2 failed\n$/)
  assert.is(both.status, 1)
})

test('a suite in which everything is skipped fails', async ({ folder }) => {
  const { output, status } = await runSuite(pathOf(folder, 'skipped'))
  assert.match(output, /\n0 passed, 0 failed, 2 skipped\n$/)
  assert.is(status, 1)
})

test('a given file that does not exist fails', async () => {
  const { output, status } = await runSuite('test/unit/nothing.test.ts')
  assert.match(output, 'there is no test file test/unit/nothing.test.ts')
  assert.is(status, 1)
})

test.run()
