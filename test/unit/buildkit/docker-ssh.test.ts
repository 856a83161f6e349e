/** Docker behind ssh, with a program in place of ssh that only passes bytes on. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dialDocker } from '../../../src/adapters/docker/grpc.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { switching, withDocker } from '../../support/build/docker-fake.ts'

type Home = { readonly folder: string; readonly env: Readonly<Record<string, string>> }

const withSsh = async (script: string, use: (home: Home) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-ssh-'))
  const file = join(folder, 'ssh')
  if (script !== '') {
    writeFileSync(file, `#!${process.execPath}\n${script}`)
    chmodSync(file, 0o755)
  }
  try {
    await use({ folder, env: { PATH: folder } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const notes = "require('node:fs').appendFileSync(__dirname + '/asked', process.argv.slice(2).join(' ') + '\\n');\n"
const passOn = (path: string): string =>
  `${notes}const s = require('node:net').connect(${JSON.stringify(path)});process.stdin.pipe(s).pipe(process.stdout)`

const sayAndEnd = (text: string): string =>
  `process.stderr.write(${JSON.stringify(text)});process.exitCode = 255;process.stdin.destroy()`

test('bytes pass through ssh, whose arguments have no shell syntax', () =>
  withDocker({ upgrade: (socket) => socket.write(`${switching}hello`) }, async ({ host, quiet }) => {
    if (host._tag !== 'Unix') throw new Error('no socket')
    await withSsh(passOn(host.path), async ({ env, folder }) => {
      const dialled = await dialDocker({
        clock: systemClock,
        host: { _tag: 'Ssh', url: 'ssh://me@[::1]:2222/run/d.sock' },
        env,
      })()
      if (E.isLeft(dialled)) throw new Error(dialled.left)
      const [first] = await dialled.right.take(1).toArray()
      assert.is(String(first), 'hello')
      dialled.right.destroy()
      // The program ends with the socket, and with it the last connection.
      await quiet()
      const line =
        '-T -o BatchMode=yes -o ConnectTimeout=15 -l me -p 2222 -- ::1 docker --host unix:///run/d.sock system dial-stdio'
      assert.equal(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n'), [line, line])
    })
  }))

const troubles: ReadonlyArray<readonly [stderr: string, says: RegExp]> = [
  ['Warning: x\nme@h: Permission denied (publickey).\n', /^ssh: me@h: Permission denied \(publickey\)\.; add your key/],
  ['Host key verification failed.\n', /^ssh: Host key verification failed\.; connect once with ssh/],
  ['sh: 1: docker: not found\n', /Docker is not installed there$/],
  ['ssh: connect to host h port 22: Connection refused\n', /^ssh: connect to host h port 22: Connection refused$/],
  ['', /^the connection was reset$/],
]

for (const [stderr, says] of troubles) {
  test(`the error ${JSON.stringify(stderr)} of ssh is reported`, () =>
    withSsh(sayAndEnd(stderr), async ({ env }) => {
      const dialled = await dialDocker({ clock: systemClock, host: { _tag: 'Ssh', url: 'ssh://h' }, env })()
      assert.match(E.isLeft(dialled) ? dialled.left : 'dialled', says)
    }))
}

test('a missing ssh is reported', () =>
  withSsh('', async ({ env }) => {
    const dialled = await dialDocker({ clock: systemClock, host: { _tag: 'Ssh', url: 'ssh://h' }, env })()
    assert.equal(dialled, E.left('ssh is not installed'))
  }))

test('an ssh connection without response times out and is ended', () =>
  withDocker({ upgrade: () => {} }, async ({ host, quiet }) => {
    if (host._tag !== 'Unix') throw new Error('no socket')
    await withSsh(passOn(host.path), async ({ env }) => {
      const dialled = await dialDocker(
        { clock: systemClock, host: { _tag: 'Ssh', url: 'ssh://h' }, env },
        undefined,
        500,
      )()
      assert.equal(dialled, E.left('it does not answer within 0.5 s'))
      await quiet()
    })
  }))

test('a host that looks like an option is never passed to ssh', () =>
  withSsh(notes, async ({ env, folder }) => {
    const dialled = await dialDocker({
      clock: systemClock,
      host: { _tag: 'Ssh', url: 'ssh://-oProxyCommand=x' },
      env,
    })()
    assert.equal(dialled, E.left('it is not a valid ssh address'))
    assert.not(existsSync(join(folder, 'asked')))
  }))

test.run()
