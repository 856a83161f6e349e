/** The command as it is installed: pipes, signals, statuses, its cache. Needs `npm run build`. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { root } from '../../scripts/command.ts'
import { shellQuoted } from '../support/process/shell.ts'

const program = join(root, 'dist/devtool.cjs')
type CommandResult = { readonly status: number | null; readonly stdout: string; readonly stderr: string }
type Context = { folder: string }
type Options = {
  readonly input?: string
  readonly shell?: string
  readonly interrupt?: boolean
  /** Sent when the input is read. */
  readonly stop?: NodeJS.Signals
  readonly env?: Record<string, string>
}

const run = (
  folder: string,
  args: ReadonlyArray<string>,
  { env = {}, input, interrupt, shell, stop }: Options = {},
): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const all = [program, ...args]
    const [file, list] =
      shell === undefined ? [process.execPath, all] : ['/bin/sh', ['-c', shell, process.execPath, ...all]]
    const child = spawn(file, list, {
      cwd: folder,
      env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    })
    const [out, err]: [Array<Buffer>, Array<Buffer>] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (exit, signal) => {
      // What a shell makes of it.
      const status = signal === null ? exit : 128 + constants.signals[signal]
      resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    })
    // A command that does not read its standard input may be gone before it is written.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    // More than a pipe holds: when all of it is written, the command is reading.
    if (interrupt === true) child.stdin.write('#'.repeat(4_000_000), () => child.kill('SIGINT'))
    else child.stdin.end(input ?? '', () => stop !== undefined && setTimeout(() => child.kill(stop), 300))
  })

const test = suite<Context>('built')

test.before((world) => {
  if (!existsSync(program)) throw new Error('dist is missing: npm run build')
  world.folder = mkdtempSync(join(tmpdir(), 'built-'))
  writeFileSync(join(world.folder, 'large.yaml'), benchFile(4500))
  writeFileSync(join(world.folder, 'compose.yaml'), 'name: shop\nservices:\n  web:\n    image: nginx\n')
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

test('version and help are answered by the loader', async ({ folder }) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const printed = { status: 0, stdout: `${version}\n`, stderr: '' }
  for (const args of [['version'], ['--version']]) assert.equal(await run(folder, args), printed)
  const help = await run(folder, ['--help'])
  assert.equal([help.status, help.stdout.includes('deploy')], [0, true])
  const described = (await run(folder, ['help', 'deploy'])).stdout
  assert.equal(readdirSync(folder).includes('cache'), false, 'nothing else was loaded')
  for (const args of [
    ['--loglevel', 'error', 'version'],
    ['version', '--output', 'text'],
  ]) {
    assert.equal(await run(folder, args), printed)
  }
  assert.is((await run(folder, ['--loglevel', 'debug', '--help'])).stdout, help.stdout)
  assert.is((await run(folder, ['deploy', '--file', 'x', '--help'])).stdout, described)
})

test('more than 13 MB arrive complete in a slow pipe', async ({ folder }) => {
  const args = ['deploy', '--dry-run', '--progress', 'quiet', '-f', 'large.yaml']
  const { status, stdout } = await run(folder, args, { shell: '"$0" "$@" | { sleep 1; cat; }' })
  assert.is(status, 0)
  assert.ok(stdout.length > 13_000_000, String(stdout.length))
  const toFile = await run(folder, args, { shell: '"$0" "$@" > out.yaml' })
  assert.is(toFile.status, 0)
  assert.ok(readFileSync(join(folder, 'out.yaml'), 'utf8') === stdout)
})

test('a closed pipe ends the command quietly', async ({ folder }) => {
  const shell = '{ "$0" "$@"; echo "status $?" >&2; } | head -n 1'
  const args = ['deploy', '--dry-run', '--loglevel', 'error', '-f', 'large.yaml']
  const { stderr, stdout } = await run(folder, args, { shell })
  assert.is(stdout.split('\n').length, 2)
  assert.is(stderr, 'status 0\n')
})

/** Node looks for `--env-file` in the arguments of programs, too: what it makes of the file must not be seen. */
test('--env-file has the documented syntax, and the shell takes precedence over it', async ({ folder }) => {
  writeFileSync(join(folder, 'my.env'), 'TAG=${BASE}-file\nNAME=file\nDEVTOOL_NAMESPACE=${BASE}\n')
  writeFileSync(join(folder, 'tag.yaml'), 'name: shop\nservices:\n  web:\n    image: "${NAME}:${TAG}"\n')
  const env = { BASE: 'one', NAME: 'shell' }
  for (const flag of [['--env-file', 'my.env'], ['--env-file=my.env']]) {
    const args = ['deploy', '--dry-run', '-f', 'tag.yaml', ...flag]
    const { status, stderr, stdout } = await run(folder, args, { env })
    assert.is(status, 0, stderr)
    assert.match(stdout, 'image: shell:one-file')
    assert.match(stdout, 'namespace: one')
    const given = await run(folder, [...args, '--var', 'NAME=var'], { env })
    assert.match(given.stdout, 'image: var:one-file')
  }
})

test('a missing --env-file is reported by Node, unless `--` comes before the program', async ({ folder }) => {
  const args = ['deploy', '--dry-run', '--env-file', 'missing.env']
  assert.is((await run(folder, args)).status, 9)
  const { status, stderr } = await run(folder, args, { shell: 'exec "$0" -- "$@"' })
  assert.is(status, 3)
  assert.match(stderr, 'DT1007')
})

test('output to a full disk is an error', async ({ folder }) => {
  if (!existsSync('/dev/full')) return
  const { status, stderr } = await run(folder, ['deploy', '--dry-run'], { shell: '"$0" "$@" > /dev/full' })
  assert.is(status, 1)
  assert.match(stderr, 'DT2006')
})

test('an interrupt ends the command with status 130', async ({ folder }) => {
  const { status } = await run(folder, ['deploy', '--dry-run', '-f', '-'], { interrupt: true })
  assert.is(status, 130)
})

test('an interrupt ends the command while it computes', async ({ folder }) => {
  const input = benchFile(15_000)
  for (const [stop, status] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
    const ended = await run(folder, ['validate', '-f', '-'], { input, stop })
    assert.equal(ended, { status, stdout: '', stderr: '' })
  }
})

test('standard input is read', async ({ folder }) => {
  const { status, stdout } = await run(folder, ['deploy', '--dry-run', '-f', '-'], {
    input: 'services: { api: { image: a } }',
  })
  assert.is(status, 0)
  assert.match(stdout, 'name: api')
})

for (const [args, status] of [
  [['deploy', '--dry-run'], 0],
  [['deploy', '--dry-run', '-f', 'missing.yaml'], 3],
  [['deploy', '--kubeconfig', 'missing.yaml'], 3],
  [['preview', 'list', '--context', 'https://p.test'], 4],
  [['nothing'], 2],
] as const) {
  test(`devtool ${args.join(' ')} ends with ${status}`, async ({ folder }) => {
    assert.is((await run(folder, args)).status, status)
  })
}

test('a broken or missing code cache changes nothing', async ({ folder }) => {
  const args = ['deploy', '--dry-run']
  const cold = await run(folder, args, { env: { DEVTOOL_NO_CODE_CACHE: '1' } })
  const cache = join(folder, 'cache2/devtool')
  const env = { XDG_CACHE_HOME: join(folder, 'cache2') }
  assert.equal(await run(folder, args, { env }), cold)
  const name = readdirSync(cache).find((kept) => /^project-.*\.bin$/.test(kept)) ?? ''
  assert.equal(await run(folder, args, { env }), cold)
  writeFileSync(join(cache, name), 'broken')
  assert.equal(await run(folder, args, { env }), cold)
  assert.ok(readFileSync(join(cache, name)).length > 100_000)
  mkdirSync(join(folder, 'cache3'))
  writeFileSync(join(folder, 'cache3/devtool'), 'a file in the way')
  assert.equal(await run(folder, args, { env: { XDG_CACHE_HOME: join(folder, 'cache3') } }), cold)
})

/** Explaining loads a file of its own. */
const explain = ['explain', 'DT1007']
const isUnix = process.platform !== 'win32'
const keptIn = (home: string): ReadonlyArray<string> => readdirSync(join(home, 'devtool'))
/** Its mode is that of a cache. */
const replacedByPipe = (file: string): void => {
  rmSync(file)
  execFileSync('mkfifo', ['-m', '600', file])
}
const replacedByLink = (file: string): void => {
  const elsewhere = join(file, '../../elsewhere')
  renameSync(file, elsewhere)
  symlinkSync(elsewhere, file)
}
const keptExplanations = (home: string): string => keptIn(home).find((name) => name.startsWith('domain-explain-')) ?? ''

test('a file loaded on demand has its own code cache, which the next run uses', async ({ folder }) => {
  const env = { XDG_CACHE_HOME: join(folder, 'later') }
  const cold = await run(folder, explain, { env })
  assert.is(cold.status, 0)
  const name = keptExplanations(env.XDG_CACHE_HOME)
  assert.match(name, /^domain-explain-explain-[0-9a-f]{16}-.*\.bin$/)
  const file = join(env.XDG_CACHE_HOME, 'devtool', name)
  const first = statSync(file)
  assert.ok(first.size > 10_000)
  if (isUnix) assert.is(first.mode & 0o777, 0o600)
  assert.equal(await run(folder, explain, { env }), cold)
  // What V8 does not accept is written anew.
  assert.is(statSync(file).ino, first.ino)
})

test('the code cache of a file loaded on demand is not used if others could have written it or it is broken', async ({
  folder,
}) => {
  const env = { XDG_CACHE_HOME: join(folder, 'spoilt') }
  const cold = await run(folder, explain, { env })
  const file = join(env.XDG_CACHE_HOME, 'devtool', keptExplanations(env.XDG_CACHE_HOME))
  const kept = keptIn(env.XDG_CACHE_HOME).length
  const spoil: ReadonlyArray<() => void> = [
    () => writeFileSync(file, ''),
    () => writeFileSync(file, 'broken'),
    () => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
    // The header stays as it is, which is all that V8 looks at.
    () => writeFileSync(file, readFileSync(file).fill(0xff, 5000, 6000)),
    () => writeFileSync(file, readFileSync(file).fill(0, 9000, 9100)),
    ...(isUnix ? [() => chmodSync(file, 0o666), () => replacedByPipe(file), () => replacedByLink(file)] : []),
    ...(process.getuid?.() === 0 ? [() => chownSync(file, 65_534, 65_534)] : []),
  ]
  for (const change of spoil) {
    change()
    const { ino } = statSync(file)
    assert.equal(await run(folder, explain, { env }), cold)
    const now = statSync(file)
    assert.ok(now.ino !== ino && now.size > 10_000, String(change))
    if (isUnix) assert.equal([now.mode & 0o777, now.uid], [0o600, process.getuid?.()], String(change))
  }
  assert.is(keptIn(env.XDG_CACHE_HOME).length, kept)
})

test('no code cache is written without permission, when disabled, or by a run that fails', async ({ folder }) => {
  const home = join(folder, 'none')
  const off = { XDG_CACHE_HOME: home, DEVTOOL_NO_CODE_CACHE: '1' }
  const cold = await run(folder, explain, { env: off })
  assert.is(cold.status, 0)
  assert.is.not((await run(folder, ['explain', 'DT9999'], { env: { XDG_CACHE_HOME: home } })).status, 0)
  assert.equal(existsSync(home), false)
  const locked = join(folder, 'locked')
  mkdirSync(join(locked, 'devtool'), { recursive: true })
  chmodSync(join(locked, 'devtool'), 0o500)
  // Root may write where the mode forbids it, but nobody may in /sys.
  for (const place of [locked, '/sys']) {
    assert.equal(await run(folder, explain, { env: { XDG_CACHE_HOME: place } }), cold)
  }
  if (isUnix && process.getuid?.() !== 0) assert.equal(keptIn(locked), [])
})

test('code caches older than a month are removed, and no other files', async ({ folder }) => {
  const env = { XDG_CACHE_HOME: join(folder, 'old') }
  const place = join(env.XDG_CACHE_HOME, 'devtool')
  mkdirSync(place, { recursive: true })
  const aMonthAgo = Date.now() / 1000 - 31 * 24 * 3600
  for (const name of ['app-0123456789abcdef-11-x64.bin', 'kube-0123456789abcdef-11-x64.bin.7.tmp', 'notes.bin']) {
    writeFileSync(join(place, name), '')
    utimesSync(join(place, name), aMonthAgo, aMonthAgo)
  }
  writeFileSync(join(place, 'why-0123456789abcdef-11-x64.bin'), '')
  assert.is((await run(folder, explain, { env })).status, 0)
  const names = keptIn(env.XDG_CACHE_HOME)
  assert.equal(
    names.filter((name) => name.includes('0123456789abcdef')),
    ['why-0123456789abcdef-11-x64.bin'],
  )
  assert.ok(names.includes('notes.bin'))
})

test('files loaded from a code cache behave like modules that Node loads', async ({ folder }) => {
  const place = join(folder, 'dist')
  mkdirSync(place)
  copyFileSync(program, join(place, 'devtool.cjs'))
  writeFileSync(
    join(place, 'app.cjs'),
    `exports.start = () => {
      const part = require('./part.cjs')
      console.log(part === require('./part.cjs'), part.count(), require('node:path') === part.path, part.names)
      try { part.fail() } catch (error) { console.log(error.stack.split('\\n')[1]) }
    }`,
  )
  writeFileSync(
    join(place, 'part.cjs'),
    `let loads = 0
    loads += 1
    const names = [__filename, __dirname, this === exports].join()
    module.exports = { count: () => loads, fail: () => { throw new Error('no') }, names, path: require('path') }`,
  )
  const names = [join(place, 'part.cjs'), place, true].join()
  for (let round = 0; round < 2; round += 1) {
    const { stderr, stdout } = await run(folder, [], { shell: `exec "$0" ${join(place, 'devtool.cjs')} validate` })
    assert.is(stderr, '')
    const [facts, frame = ''] = stdout.split('\n')
    assert.is(facts, `true 1 true ${names}`)
    assert.match(frame, `${join(place, 'part.cjs')}:4:`)
  }
  assert.ok(keptIn(join(folder, 'cache')).some((name) => name.startsWith('part-')))
})

test('bash completes', async ({ folder }) => {
  if (!existsSync('/bin/bash')) return
  const script = `node=$0 program=$1
    devtool() { "$node" "$program" "$@"; }
    source <(devtool completion bash)
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _devtool; echo "\${COMPREPLY[*]}"; }
    try devtool dep; try devtool deploy w; try devtool deploy --output = j`
  const { stdout } = await run(folder, [], { shell: `exec bash -c ${shellQuoted(script)} "$0" "$@"` })
  assert.is(stdout, 'deploy\nweb\njson\n')
})

test.run()
