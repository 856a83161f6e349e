/** What becomes of children and folders when this process is killed. */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/command.ts'
import { markOf, type Owner, thisProcess } from '../../../src/adapters/process/owner.ts'
import { systemMachine } from '../../../src/adapters/system/machine.ts'
import { isAlive } from '../../support/process/alive.ts'
import { until } from '../../support/process/until.ts'

type Context = { folder: string }
const test = suite<Context>('guard')

test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'guard-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

/** A program of ours, which prints a line when it is ready and is killed then. */
const killed = async (folder: string, text: string): Promise<string> => {
  const args = ['--import', 'tsx', '--input-type=module', '-e', text]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', () => reject(new Error('it ended before it was ready')))
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await closed
  return line.trim()
}

const commands = (folder: string, command: string): string => `
  const { processCommands } = await import('./src/adapters/process/commands.ts')
  const { systemClock } = await import('./src/adapters/system/clock.ts')
  const line = { _tag: 'Shell', text: ${JSON.stringify(command)}, isBash: false }
  const invocation = { line, folder: ${JSON.stringify(folder)}, env: new Map(Object.entries(process.env)) }
  await processCommands(systemClock, () => undefined).run(invocation, (text) => process.stdout.write(text), new AbortController().signal)()
`

test('a command and its children end when devtool is killed', async ({ folder }) => {
  const line = await killed(folder, commands(folder, 'sleep 600 & echo "$$ $!"; wait'))
  const pids = line.split(' ').map(Number)
  assert.is(pids.length, 2)
  await until(`${line} have ended`, () => !pids.some(isAlive))
})

test('a command that ignores SIGTERM ends, too', async ({ folder }) => {
  const pid = Number(await killed(folder, commands(folder, "trap '' TERM; echo $$; while :; do sleep 1; done")))
  await until('it has ended', () => !isAlive(pid))
})

test('background processes of a finished command keep running', async ({ folder }) => {
  const text = `${commands(folder, 'sleep 600 >/dev/null 2>&1 & echo $!')}
    setInterval(() => {}, 1000)
    process.stdout.write('over')`
  const args = ['--import', 'tsx', '--input-type=module', '-e', text]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  await until('it is over', () => printed.includes('over'))
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await closed
  const pid = Number.parseInt(printed, 10)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  assert.ok(isAlive(pid))
  process.kill(pid, 'SIGKILL')
})

const guarding = (use: string): string => `
  const { spawn } = await import('node:child_process')
  const { guard } = await import('./src/adapters/process/guard.ts')
  const children = [1, 2].map(() => spawn('sleep', ['600'], { stdio: 'ignore', detached: true }))
  const [one, two] = children.map(({ pid }) => ({ pid, release: guard({ pid }) }))
  ${use}
  process.stdout.write([one.pid, two.pid].join(' '))
  setInterval(() => {}, 1000)
`

test('releasing a process twice leaves others guarded, and it can be guarded again', async ({ folder }) => {
  const line = await killed(folder, guarding('one.release(); const again = guard(one); one.release(); again(); two'))
  const [released = 0, guarded = 0] = line.split(' ').map(Number)
  await until('it has ended', () => !isAlive(guarded))
  assert.ok(isAlive(released))
  process.kill(released, 'SIGKILL')
  const both = (await killed(folder, guarding('one.release(); guard(one); one.release()'))).split(' ').map(Number)
  await until('both have ended', () => !both.some(isAlive))
})

const making = `
  const { makeScratchFolder } = await import('./src/adapters/process/scratch-folder.ts')
  const { path } = await makeScratchFolder()
  process.stdout.write(path)
  setInterval(() => {}, 1000)
`

test('the folder that a killed run left behind is removed by the next', async ({ folder }) => {
  const left = await killed(folder, making)
  assert.ok(existsSync(left))
  const next = await killed(folder, making)
  assert.equal([existsSync(left), existsSync(next)], [false, true])
})

test('other folders stay: those of running processes and other machines, those without a mark, and links', async ({
  folder,
}) => {
  const own = thisProcess()
  if (own === undefined) throw new Error('there is no /proc')
  const make = (name: string, owner?: Owner): string => {
    mkdirSync(join(folder, `devtool-run-${name}`))
    if (owner !== undefined) writeFileSync(join(folder, `devtool-run-${name}`, '.owner'), markOf(owner))
    return `devtool-run-${name}`
  }
  const old = make('old', { ...own, boot: 'another', pid: 1 })
  utimesSync(join(folder, old, '.owner'), 1e9, 1e9)
  const kept = [
    make('alive', own),
    make('machine', { ...own, boot: 'another', pid: 4_000_000 }),
    make('container', { ...own, pidNamespace: 'another', pid: 4_000_000 }),
    make('unmarked'),
  ]
  const gone = make('gone', { ...own, pid: 4_000_000 })
  const reused = make('reused', { ...own, start: '1' })
  mkdirSync(join(folder, 'precious'))
  writeFileSync(join(folder, 'precious', '.owner'), markOf({ ...own, pid: 4_000_000 }))
  symlinkSync(join(folder, 'precious'), join(folder, 'devtool-run-link'))
  const made = await killed(folder, making)
  assert.equal(
    readdirSync(folder)
      .filter((name) => !made.endsWith(name) && name.startsWith('devtool-run-'))
      .toSorted(),
    [...kept, 'devtool-run-link'].toSorted(),
  )
  assert.equal(
    [old, gone, reused, 'precious'].map((name) => existsSync(join(folder, name))),
    [false, false, false, true],
  )
})

const marking = `
  const { systemMachine } = await import('./src/adapters/system/machine.ts')
  console.log(systemMachine().mark)
  setInterval(() => {}, 1000)
`

test('the end of a process is known on its own machine only', async ({ folder }) => {
  const machine = systemMachine()
  const gone = await killed(folder, marking)
  assert.equal([machine.hasEnded(gone), machine.hasEnded(machine.mark)], [true, false])
  const [boot = '', space = '', user = '', ...process] = gone.split(' ')
  const strangers = [
    ['b', space, user],
    [boot, 'pid:[1]', user],
    [boot, space, '4242'],
  ]
  for (const place of strangers) assert.not(machine.hasEnded([...place, ...process].join(' ')))
  for (const mark of ['', 'nonsense', `${gone} more`, boot]) assert.not(machine.hasEnded(mark))
})

test.run()
