/** Credentials of a Docker configuration, with helper programs that behave and that do not. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dockerCredentials } from '../../../src/adapters/registry/credentials.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import type { Credentials } from '../../../src/ports/credentials.ts'
import { staysAlive } from '../../support/process/alive.ts'

type Context = { folder: string; found: Array<Diagnostic> }

const test = suite<Context>('credentials')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'credentials-'))
  world.found = []
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const secret = 'S3cret-of-a-helper'
const key = 'https://index.docker.io/v1/'

/** A program of Node; `asked` are its arguments and what it read. */
const helper = ({ folder }: Context, name: string, body: string): void => {
  const path = join(folder, `docker-credential-${name}`)
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs')
const asked = process.argv.slice(2).join(' ') + ' ' + fs.readFileSync(0, 'utf8').trim()
fs.appendFileSync(${JSON.stringify(join(folder, 'asked'))}, asked + '\\n')
${body}
`,
  )
  chmodSync(path, 0o755)
}
const prints = (json: unknown): string => `process.stdout.write(${JSON.stringify(JSON.stringify(json))})`
const asked = ({ folder }: Context): string => readFileSync(join(folder, 'asked'), 'utf8')

const open = (world: Context, config: unknown, helperTimeoutMs?: number, signal?: AbortSignal): Credentials => {
  const { folder, found } = world
  writeFileSync(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  const env = { DOCKER_CONFIG: folder, PATH: folder }
  const limit = {
    ...defined({ helperTimeoutMs }),
    ...(signal === undefined ? {} : { interruption: () => signal }),
  }
  return dockerCredentials({ clock: systemClock, env, home: '/nowhere', onWarning: (one) => found.push(one), ...limit })
}

const auth = Buffer.from(`me:${secret}`).toString('base64')

test('a missing configuration is not an error', async ({ folder, found }) => {
  const credentials = dockerCredentials({
    clock: systemClock,
    env: {},
    home: folder,
    onWarning: (one) => found.push(one),
  })
  assert.is(await credentials.of('registry.example.com'), undefined)
  assert.equal(found, [])
})

test('without DOCKER_CONFIG the configuration is in .docker of the home folder', async ({ folder }) => {
  mkdirSync(join(folder, '.docker'))
  writeFileSync(join(folder, '.docker/config.json'), JSON.stringify({ auths: { 'registry.example.com': { auth } } }))
  const { of } = dockerCredentials({ clock: systemClock, env: { DOCKER_CONFIG: '' }, home: folder })
  assert.equal(await of('registry.example.com'), { username: 'me', secret })
})

test('a helper is asked once, by its argument and input', async (world) => {
  helper(world, 'good', prints({ ServerURL: key, Username: 'me', Secret: secret }))
  const { of } = open(world, { credsStore: 'good' })
  const answers = await Promise.all(['docker.io', 'registry-1.docker.io', 'index.docker.io'].map(of))
  assert.equal(
    answers,
    answers.map(() => ({ username: 'me', secret })),
  )
  assert.is(asked(world), `get ${key}\n`)
  assert.equal(world.found, [])
})

test('an identity token has no user name', async (world) => {
  helper(world, 'good', prints({ ServerURL: 'x', Username: '<token>', Secret: secret }))
  const { of } = open(world, { credHelpers: { 'registry.example.com': 'good' } })
  assert.equal(await of('registry.example.com'), { username: '', secret })
  assert.is(await of('other.example.com'), undefined)
  assert.is(asked(world), 'get registry.example.com\n')
})

test('a helper without credentials is not an error', async (world) => {
  helper(world, 'empty', `process.stdout.write('credentials not found in native keychain'); process.exit(1)`)
  assert.is(await open(world, { credsStore: 'empty' }).of('registry.example.com'), undefined)
  assert.equal(world.found, [])
})

const failures: Readonly<Record<string, readonly [body: string, words: string]>> = {
  fails: [`process.stderr.write('${secret}'); process.stdout.write('${secret}'); process.exit(3)`, 'status 3'],
  garbles: [`process.stdout.write('${secret}')`, 'did not print valid credentials'],
  'is killed': [`process.stdout.write('${secret}'); process.kill(process.pid, 'SIGKILL')`, 'SIGKILL'],
  'never ends': [`process.stdout.write('${secret}'); setInterval(() => {}, 1000)`, 'did not finish within'],
}
for (const [title, [body, words]] of Object.entries(failures)) {
  test(`a helper that ${title}: one warning without its output`, async (world) => {
    helper(world, 'bad', body)
    const limitMs = title === 'never ends' ? 300 : undefined
    const { of } = open(world, { credsStore: 'bad', auths: { 'b.example.com': { auth } } }, limitMs)
    const [first, second] = await Promise.all([of('a.example.com'), of('b.example.com')])
    assert.equal([first, second], [undefined, { username: 'me', secret }])
    assert.is(world.found.length, 1)
    const [{ code, message } = { code: '', message: '' }] = world.found
    assert.is(code, 'DT4030')
    assert.match(message, words)
    assert.match(message, 'docker-credential-bad')
    for (const hidden of [secret, auth]) assert.not.match(JSON.stringify(world.found), hidden)
  })
}

test('a helper that does not read its input still works', async (world) => {
  const path = join(world.folder, 'docker-credential-deaf')
  const answer = JSON.stringify({ Username: 'me', Secret: secret })
  writeFileSync(path, `#!/bin/sh\nexec 0<&-\nprintf %s '${answer}'\n`)
  chmodSync(path, 0o755)
  assert.equal(await open(world, { credsStore: 'deaf' }).of('registry.example.com'), { username: 'me', secret })
})

for (const name of ['missing', '../bad', 'a b']) {
  test(`the helper "${name}" is not found`, async (world) => {
    const { of } = open(world, { credsStore: name })
    assert.equal(await Promise.all([of('a.example.com'), of('b.example.com')]), [undefined, undefined])
    assert.equal(
      world.found.map(({ code }) => code),
      ['DT4030'],
    )
  })
}

test('a damaged configuration is one warning', async (world) => {
  const { of } = open(world, `{"auths": {"registry.example.com": {"auth": "${auth}"`)
  assert.equal([await of('registry.example.com'), await of('docker.io')], [undefined, undefined])
  assert.is(world.found.length, 1)
  assert.not.match(JSON.stringify(world.found), auth)
})

test('a configuration that cannot be read is one warning', async ({ folder, found }) => {
  // A folder in its place: root may read every file.
  mkdirSync(join(folder, 'config.json'))
  const { of } = dockerCredentials({
    clock: systemClock,
    env: { DOCKER_CONFIG: folder },
    home: '/',
    onWarning: (one) => found.push(one),
  })
  assert.equal([await of('a.example.com'), await of('b.example.com')], [undefined, undefined])
  assert.equal(
    found.map(({ code }) => code),
    ['DT4030'],
  )
})

for (const [what, make] of [
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['huge', (path: string) => writeFileSync(path, ' '.repeat(1024 * 1024 + 1))],
] as const) {
  test(`a configuration that is ${what} is one warning`, async ({ folder, found }) => {
    make(join(folder, 'config.json'))
    const { of } = dockerCredentials({
      clock: systemClock,
      env: { DOCKER_CONFIG: folder },
      home: '/',
      onWarning: (one) => found.push(one),
    })
    assert.equal([await of('a.example.com'), await of('b.example.com')], [undefined, undefined])
    assert.equal(
      found.map(({ code }) => code),
      ['DT4030'],
    )
  })
}

test('a link to the configuration is followed', async (world) => {
  const elsewhere = join(world.folder, 'elsewhere.json')
  writeFileSync(elsewhere, JSON.stringify({ auths: { 'a.example.com': { auth } } }))
  symlinkSync('elsewhere.json', join(world.folder, 'config.json'))
  const { of } = dockerCredentials({
    clock: systemClock,
    env: { DOCKER_CONFIG: world.folder },
    home: '/',
    onWarning: (one) => world.found.push(one),
  })
  assert.equal(await of('a.example.com'), { username: 'me', secret })
  assert.equal(world.found, [])
})

test('a helper that does not end in time is killed with everything it started', async (world) => {
  const body = `const { spawn } = require('node:child_process')
const child = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore', 'pipe'] })
fs.writeFileSync(${JSON.stringify(join(world.folder, 'pid'))}, String(child.pid))
setInterval(() => {}, 1000)`
  helper(world, 'slow', body.replace("'sleep'", "'/bin/sleep'"))
  assert.is(await open(world, { credsStore: 'slow' }, 1500).of('registry.example.com'), undefined)
  const pid = Number(readFileSync(join(world.folder, 'pid'), 'utf8'))
  const isLeft = await staysAlive(pid)
  if (isLeft) process.kill(pid, 'SIGKILL')
  assert.not(isLeft)
})

test('an interruption ends a helper', async (world) => {
  const ready = join(world.folder, 'ready')
  execFileSync('mkfifo', [ready])
  helper(world, 'slow', `fs.writeFileSync(${JSON.stringify(ready)}, String(process.pid)); setInterval(() => {}, 1000)`)
  const ended = new AbortController()
  const asking = open(world, { credsStore: 'slow' }, 20_000, ended.signal).of('registry.example.com')
  const pid = Number(await readFile(ready, 'utf8'))
  ended.abort('SIGINT')
  assert.is(await asking, undefined)
  assert.match(world.found[0]?.message ?? '', /docker-credential-slow was interrupted$/)
  assert.not(await staysAlive(pid))
})

test.run()
