/** OpenSSH's programs as clients of the agent as it is built, by the configuration that is written for them. */
import { execFile, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNetwork } from '../../src/adapters/network/network.ts'
import { nodeFiles } from '../../src/adapters/node-fs/files.ts'
import { nodePlainFolders } from '../../src/adapters/node-fs/plain-folders.ts'
import { nodeWriter } from '../../src/adapters/node-fs/writer.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { openForwards } from '../../src/app/dev/forwards.ts'
import { removeSshAddress, writeSshAddress } from '../../src/app/dev/ssh-address.ts'
import { type AgentWorld, withStartedAgent } from '../support/dev/agent.ts'
import { sessionWith } from '../support/dev/dev-session.ts'
import { freePort, portOf } from '../support/process/ports.ts'

type World = AgentWorld & { home: string; end: () => Promise<void> }

const test = suite<World>('OpenSSH')
withStartedAgent(test)

const runProgram = promisify(execFile)

const folders = () => ({
  files: nodeFiles(
    '/',
    () => process.stdin,
    () => {},
  ),
  writer: nodeWriter('/'),
  plainFolders: nodePlainFolders('/', systemClock),
})

const name = { alias: 'api.shop.devtool', uid: 'u1' }

/** OpenSSH takes the home from the password file, so it is told which configuration to use. */
const configIn = (home: string): string => join(home, '.ssh/devtool/api.shop.devtool.conf')

test.before(async (context) => {
  const { started } = context
  context.home = mkdtempSync(join(tmpdir(), 'ssh % -'))
  mkdirSync(join(context.home, '.ssh'), { mode: 0o700 })
  writeFileSync(join(context.home, '.ssh/config'), 'Host example.com\n  User me\n')
  const { cluster, session } = sessionWith(started)
  const forwarding = { cluster, session, namespace: 'default', signal: new AbortController().signal, tell: () => {} }
  const wanted = { forward: [{ local: 0, remote: started.port }], reverse: [], interface: '127.0.0.1' }
  const opened = await openForwards({ clock: systemClock, network: nodeNetwork({}, systemClock) })(forwarding, wanted)()
  if (E.isLeft(opened)) throw new Error('no port')
  const host = { ...name, folder: join(context.home, '.ssh'), port: opened.right.ports[0] ?? 0, keys: started.keys }
  const written = await writeSshAddress(folders())(host)()
  assert.equal(written, E.right(undefined))
  context.end = async () => {
    session.end({ _tag: 'Closed', reason: 'done' })
    await opened.right.close()
    rmSync(context.home, { recursive: true, force: true })
  }
})
test.after(({ end }) => end())

test('the configuration is included once, before everything else, and only this user can read its files', async ({
  home,
  started,
}) => {
  const before = readFileSync(join(home, '.ssh/config'), 'utf8')
  assert.is(before, 'Include devtool/*.conf\nHost example.com\n  User me\n')
  const other = mkdtempSync(join(tmpdir(), 'ssh % -'))
  const host = { ...name, folder: join(other, '.ssh'), port: started.port, keys: started.keys }
  for (const _time of [1, 2]) await writeSshAddress(folders())(host)()
  const folder = join(host.folder, 'devtool')
  assert.is(readFileSync(join(host.folder, 'config'), 'utf8'), 'Include devtool/*.conf\n')
  assert.is(statSync(host.folder).mode & 0o777, 0o700)
  for (const file of readdirSync(folder)) assert.is(statSync(join(folder, file)).mode & 0o777, 0o600, file)
  await removeSshAddress(folders())(host.folder, { ...name, uid: 'of another cluster' })()
  assert.is(readdirSync(folder).length, 3)
  await removeSshAddress(folders())(host.folder, { ...name, port: host.port + 1 })()
  assert.is(readdirSync(folder).length, 3)
  await removeSshAddress(folders())(host.folder, { ...name, port: host.port })()
  assert.equal(readdirSync(folder), [])
  rmSync(other, { recursive: true })
})

test('ssh runs programs with their input, outputs and exit status', async ({ home }) => {
  const config = configIn(home)
  const failed: unknown = await runProgram('ssh', [
    '-F',
    config,
    'api.shop.devtool',
    'echo out; echo err >&2; exit 7',
  ]).catch((cause: unknown) => cause)
  const { code, stderr, stdout } = Object(failed)
  assert.equal({ code, stderr, stdout }, { code: 7, stderr: 'err\n', stdout: 'out\n' })
})

test('settings for all hosts neither redirect the connection nor enable agent or X11 forwarding', async ({ home }) => {
  const config = join(home, 'every-host')
  const every = ['ForwardAgent yes', 'ForwardX11 yes', 'ProxyJump example.com', 'ControlPath /tmp/%r@%h']
  writeFileSync(config, [`Include "${configIn(home)}"`, 'Host *', ...every, ''].join('\n'))
  const { stdout } = await runProgram('ssh', ['-G', '-F', config, 'api.shop.devtool'])
  const lines = stdout.split('\n')
  for (const line of ['forwardagent no', 'forwardx11 no']) assert.ok(lines.includes(line), line)
  assert.equal(
    lines.filter((line) => /^(?:proxyjump|controlpath) (?!none$)/.test(line)),
    [],
  )
})

test('scp and sftp copy files both ways', async ({ home }) => {
  const config = configIn(home)
  const content = Buffer.alloc(1_000_000, 'abc')
  writeFileSync(join(home, 'here'), content)
  await runProgram('scp', ['-F', config, join(home, 'here'), `api.shop.devtool:${home}/there`])
  writeFileSync(join(home, 'batch'), `get "${home}/there" "${home}/back"\n`)
  await runProgram('sftp', ['-F', config, '-b', join(home, 'batch'), 'api.shop.devtool'])
  assert.ok(readFileSync(join(home, 'back')).equals(content))
})

test('sftp lists, links, changes, renames and removes files and folders', async ({ home }) => {
  const folder = join(home, 'remote')
  mkdirSync(folder)
  writeFileSync(join(home, 'short'), 'abc')
  const sftp = async (...lines: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    writeFileSync(join(home, 'batch'), [`cd "${folder}"`, ...lines, ''].join('\n'))
    const words = ['-F', configIn(home), '-b', join(home, 'batch'), 'api.shop.devtool']
    const { stdout } = await runProgram('sftp', words)
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('sftp>'))
  }
  await sftp(`put "${home}/short" a`, 'chmod 640 a', 'ln -s a link', 'mkdir folder', 'chmod 1777 folder', 'rename a b')
  assert.equal(readdirSync(folder), ['b', 'folder', 'link'])
  assert.is(readlinkSync(join(folder, 'link')), 'a')
  assert.is(statSync(join(folder, 'b')).mode & 0o777, 0o640)
  const listed = (await sftp('ls -l')).map((line) => line.replace(/\w{3} \d\d \d\d:\d\d/, 'TIME').split(/ +/))
  assert.equal(
    listed.map(([mode, , , , size, ...rest]) => [mode, mode?.startsWith('-') ? size : '', rest.join(' ')]),
    [
      ['-rw-r-----', '3', 'TIME b'],
      ['drwxrwxrwt', '', 'TIME folder'],
      ['lrwxrwxrwx', '', 'TIME link'],
    ],
  )
  assert.equal(await sftp('ls -1'), ['b', 'folder', 'link'])
  await sftp('rm b', 'rm link', 'rmdir folder')
  assert.equal(readdirSync(folder), [])
  const failed: unknown = await sftp('rm b').catch((cause: unknown) => cause)
  assert.is(Object(failed).code, 1)
})

test('ssh -L, -R and -D forward ports', async ({ home }) => {
  const config = configIn(home)
  const server = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1')
  const [local, remote, socks] = [await freePort(), await freePort(), await freePort()]
  const target = `127.0.0.1:${portOf(server)}`
  const forwards = ['-L', `${local}:${target}`, '-R', `${remote}:${target}`, '-D', String(socks)]
  const client = spawn('ssh', ['-F', config, '-N', ...forwards, 'api.shop.devtool'], { stdio: 'ignore' })
  const asked = async (words: ReadonlyArray<string>): Promise<string> => {
    for (let left = 600; left > 0; left -= 1) {
      const { stdout } = await runProgram('curl', ['-s', '-m', '5', '--http0.9', ...words]).catch(() => ({
        stdout: '',
      }))
      if (stdout !== '') return stdout
      await sleep(100)
    }
    return ''
  }
  assert.is(await asked([`http://127.0.0.1:${local}`]), 'hello')
  assert.is(await asked([`http://127.0.0.1:${remote}`]), 'hello')
  assert.is(await asked(['--socks5', `127.0.0.1:${socks}`, `http://${target}`]), 'hello')
  client.kill()
  server.close()
})

test('ssh refuses a host with another key', async ({ home }) => {
  const config = configIn(home)
  const known = join(home, '.ssh/devtool/api.shop.devtool.known_hosts')
  const before = readFileSync(known, 'utf8')
  writeFileSync(
    known,
    before.replace(/AAAA.{60}/, (key) => `${key.slice(0, -8)}AAAAAAAA`),
  )
  const failed: unknown = await runProgram('ssh', ['-F', config, 'api.shop.devtool', 'true']).catch(
    (cause: unknown) => cause,
  )
  writeFileSync(known, before)
  assert.is(Object(failed).code, 255)
})

test.run()
