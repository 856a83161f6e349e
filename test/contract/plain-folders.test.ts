/** What every writer into a folder has to do, tried on the real disk and on the one in memory. */
import { spawn } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodePlainFolders } from '../../src/adapters/node-fs/plain-folders.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { PlainFolders } from '../../src/ports/plain-folders.ts'
import { memoryClock } from '../memory/clock.ts'
import { type Entry, text } from '../memory/files.ts'
import { memoryPlainFolders } from '../memory/plain-folders.ts'

type Context = { readonly folders: PlainFolders; readonly base?: string; readonly end: () => void }

const onDisk = (): Context => {
  const base = mkdtempSync(join(tmpdir(), 'plain-folders-'))
  mkdirSync(join(base, 'k8s/sub'), { recursive: true })
  mkdirSync(join(base, 'real'))
  writeFileSync(join(base, 'outside.yaml'), 'outside')
  writeFileSync(join(base, 'k8s/a.yaml'), 'a')
  writeFileSync(join(base, 'k8s/sub/b.yaml'), 'b')
  writeFileSync(join(base, 'k8s/binary.yaml'), Uint8Array.of(0xff, 0xfe))
  symlinkSync('../outside.yaml', join(base, 'k8s/link.yaml'))
  symlinkSync('real', join(base, 'linked'))
  return { folders: nodePlainFolders(base, systemClock), base, end: () => rmSync(base, { recursive: true }) }
}

const inMemory = (): Context => {
  const entries = new Map<string, Entry>([
    ['outside.yaml', text('outside')],
    ['k8s/a.yaml', text('a')],
    ['k8s/sub/b.yaml', text('b')],
    ['k8s/binary.yaml', { _tag: 'File', bytes: Uint8Array.of(0xff, 0xfe) }],
    ['k8s/link.yaml', { _tag: 'Link', to: '../outside.yaml' }],
    ['linked', { _tag: 'Link', to: 'real' }],
  ])
  return { folders: memoryPlainFolders(entries), end: () => {} }
}

const isPublic = { isPrivate: false }

for (const [name, make] of [
  ['disk', onDisk],
  ['memory', inMemory],
] as const) {
  const test = suite<{ world: Context }>(`plain folders (${name})`)
  test.before.each((context) => {
    context.world = make()
  })
  test.after.each(({ world }) => world.end())

  const seen = async ({ folders }: Context, folder: string, file: string): Promise<string> => {
    const entry = await folders.look(folder, file)()
    if (E.isLeft(entry)) return `${entry.left.code} ${entry.left.message}`
    return entry.right._tag === 'File' ? `File ${entry.right.text}` : entry.right._tag
  }

  for (const [folder, file, expected] of [
    ['k8s', 'a.yaml', 'File a'],
    ['k8s', 'missing.yaml', 'Absent'],
    ['missing', 'a.yaml', 'Absent'],
    ['k8s', 'sub', 'Other'],
    ['k8s', 'link.yaml', 'Other'],
    ['k8s', 'binary.yaml', 'Other'],
    ['linked', 'a.yaml', 'DT2007 linked is a symbolic link'],
    ['outside.yaml', 'a.yaml', 'DT2007 outside.yaml is a file'],
  ] as const) {
    test(`${folder}/${file} is seen as ${expected}`, async ({ world }) => {
      assert.is(await seen(world, folder, file), expected)
    })
  }

  test('taking a lock creates its folder, and a released lock can be taken again', async ({ world }) => {
    for (let round = 0; round < 2; round += 1) {
      const lock = await world.folders.lock('new/er')()
      assert.ok(E.isRight(lock))
      lock.right.release()
    }
  })

  test('a folder that is a link is not locked', async ({ world }) => {
    const lock = await world.folders.lock('linked')()
    assert.is(E.isLeft(lock) ? lock.left.code : 'locked', 'DT2007')
  })

  test('a file can be created, replaced and removed', async ({ world }) => {
    const { folders } = world
    for (const file of ['a.yaml', 'new.yaml']) assert.ok(E.isRight(await folders.put('k8s', file, 'x', isPublic)()))
    assert.equal([await seen(world, 'k8s', 'a.yaml'), await seen(world, 'k8s', 'new.yaml')], ['File x', 'File x'])
    for (let round = 0; round < 2; round += 1) assert.ok(E.isRight(await folders.remove('k8s', 'new.yaml')()))
    assert.is(await seen(world, 'k8s', 'new.yaml'), 'Absent')
  })

  test('a missing folder is created', async ({ world }) => {
    assert.ok(E.isRight(await world.folders.put('deep/er', 'a.yaml', 'x', isPublic)()))
    assert.is(await seen(world, 'deep/er', 'a.yaml'), 'File x')
  })

  test('a link is replaced, and its target stays', async ({ world }) => {
    assert.ok(E.isRight(await world.folders.put('k8s', 'link.yaml', 'x', isPublic)()))
    assert.is(await seen(world, 'k8s', 'link.yaml'), 'File x')
    assert.is(await seen(world, '.', 'outside.yaml'), 'File outside')
  })

  test('a folder is not replaced', async ({ world }) => {
    assert.ok(E.isLeft(await world.folders.put('k8s', 'sub', 'x', isPublic)()))
    assert.is(await seen(world, 'k8s/sub', 'b.yaml'), 'File b')
  })

  test('nothing is written into a folder that is a link', async ({ world }) => {
    const done = await world.folders.put('linked', 'a.yaml', 'x', isPublic)()
    assert.is(E.isLeft(done) ? done.left.code : 'written', 'DT2007')
  })
  test.run()
}

const test = suite<{ world: Context }>('plain folders on disk')
test.before.each((context) => {
  context.world = onDisk()
})
test.after.each(({ world }) => world.end())

test('files left by a killed run are removed, those of a running one stay', async ({ world }) => {
  const folder = join(world.base ?? '', 'k8s')
  const [dead, alive] = ['.devtool-999999999-a1.tmp', `.devtool-${process.ppid}-a1.tmp`]
  for (const name of [dead, alive]) writeFileSync(join(folder, name), '')
  await world.folders.put('k8s', 'a.yaml', 'x', isPublic)()
  assert.equal(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [alive],
  )
})

test('a private file is readable by its owner only, and a failed write leaves nothing', async ({ world }) => {
  const folder = join(world.base ?? '', 'k8s')
  await world.folders.put('k8s', 'secret-a.yaml', 'x', { isPrivate: true })()
  assert.is(statSync(join(folder, 'secret-a.yaml')).mode & 0o777, 0o600)
  await world.folders.put('k8s', 'sub', 'x', isPublic)()
  assert.not.match(readdirSync(folder).join(), '.tmp')
  assert.ok(lstatSync(join(folder, 'link.yaml')).isSymbolicLink())
  assert.is(readFileSync(join(folder, 'a.yaml'), 'utf8'), 'a')
})

/** The program in one file, since compiling it in every process would take most of the time. */
const compiled = mkdtempSync(join(tmpdir(), 'folder-writer-'))
const program = join(compiled, 'folder-writer.mjs')
test.before(async () => {
  const entry = new URL('../support/home/folder-writer.ts', import.meta.url).pathname
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program })
})
test.after(() => rmSync(compiled, { recursive: true }))

const composeOf = (tag: string): string =>
  JSON.stringify({
    name: 'shop',
    services: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`s${n}-${tag}`, { image: `nginx:${tag}` }])),
  })

const runsWell = (folder: string, tag: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, folder, composeOf(tag), '10'], { stdio: 'inherit' })
    child.once('close', (status) => resolve(status === 0))
  })

test('two processes that write one folder at the same time do not mix their files', async ({ world }) => {
  const folder = join(world.base ?? '', 'shared')
  assert.equal(await Promise.all(['1', '2'].map((tag) => runsWell(folder, tag))), [true, true])
  const names = readdirSync(folder).filter((name) => name !== 'kustomization.yaml' && !name.startsWith('.'))
  assert.is(new Set(names.map((name) => /-([12])\.yaml$/.exec(name)?.[1])).size, 1, names.join(' '))
  assert.equal(
    readdirSync(folder).filter((name) => /lock|tmp/.test(name)),
    [],
  )
})

test('the lock of an ended process is taken over, and one that is held is reported', async ({ world }) => {
  const file = join(world.base ?? '', 'k8s', '.devtool-files.lock')
  writeFileSync(file, `999999999 ${hostname()} x`)
  const lock = await world.folders.lock('k8s')()
  assert.ok(E.isRight(lock))
  let now = 0
  const patient = { ...systemClock, now: () => now, sleep: async () => void (now += 1_000) }
  const busy = await nodePlainFolders(world.base ?? '', patient).lock('k8s')()
  assert.is(E.isLeft(busy) ? busy.left.code : 'locked', 'DT2106')
  assert.match(E.isLeft(busy) ? busy.left.message : '', `another devtool process is using ${file}`)
  lock.right.release()
})

/** Time that passes at each sleep only. */
const fastClock = (): typeof systemClock => {
  let now = 0
  return { ...systemClock, now: () => now, sleep: async () => void (now += 1_000) }
}

test('an abandoned lock expires, whoever left it', async ({ world }) => {
  const folders = nodePlainFolders(world.base ?? '', fastClock())
  const file = join(world.base ?? '', 'k8s', '.devtool-files.lock')
  const old = new Date(Date.now() - 61_000)
  const left: ReadonlyArray<readonly [token: string, at?: Date]> = [
    [`${process.pid} ${hostname()} x`],
    [`${process.pid} ${hostname()} x pid:[0]`, old],
    ['4242 elsewhere x', old],
    ['garbage', old],
    [''],
  ]
  for (const [token, at] of left) {
    writeFileSync(file, token)
    if (at !== undefined) utimesSync(file, at, at)
    const lock = await folders.lock('k8s')()
    assert.ok(E.isRight(lock), token)
    lock.right.release()
  }
  assert.equal(
    readdirSync(join(world.base ?? '', 'k8s')).filter((name) => /lock|tmp/.test(name)),
    [],
  )
})

test('a lock that was touched recently, or whose process runs, is not taken over', async ({ world }) => {
  const folders = nodePlainFolders(world.base ?? '', fastClock())
  const file = join(world.base ?? '', 'k8s', '.devtool-files.lock')
  const old = new Date(Date.now() - 1_000_000)
  const held: ReadonlyArray<readonly [token: string, at: Date]> = [
    ['4242 elsewhere x', new Date()],
    [`${process.pid} ${hostname()} x pid:[0]`, new Date()],
    [`${process.ppid} ${hostname()} x`, old],
  ]
  for (const [token, at] of held) {
    writeFileSync(file, token)
    utimesSync(file, at, at)
    const lock = await folders.lock('k8s')()
    assert.is(E.isLeft(lock) ? lock.left.code : 'taken', 'DT2106', token)
    assert.is(readFileSync(file, 'utf8'), token)
  }
})

test('a lock is touched while it is held', async ({ world }) => {
  const clock = memoryClock()
  const file = join(world.base ?? '', 'k8s', '.devtool-files.lock')
  const lock = await nodePlainFolders(world.base ?? '', clock).lock('k8s')()
  const token = readFileSync(file, 'utf8')
  utimesSync(file, 0, 0)
  await clock.advance(11_000)
  assert.ok(statSync(file).mtimeMs > 0)
  assert.is(readFileSync(file, 'utf8'), token)
  assert.ok(E.isRight(lock))
  lock.right.release()
  assert.is(clock.sleeping(), 0)
})

test.run()
