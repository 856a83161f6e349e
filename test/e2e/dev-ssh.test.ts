/** OpenSSH's programs as IDEs use them, connected to a development container by the address that `up` writes. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { freePort } from '../support/process/ports.ts'

const runProgram = promisify(execFile)

const workload = {
  metadata: { name: 'api', labels: { app: 'api' } },
  spec: {
    selector: { matchLabels: { app: 'api' } },
    template: {
      metadata: { labels: { app: 'api' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'app', image: 'busybox:1.37', command: ['sleep', '3600'] }],
      },
    },
  },
}

/** Serves its own folder, so that a file can be asked for through a forwarded port. */
const program = 'mkdir -p /tmp/www && echo hello >/tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www'

const manifest = (port: number): string => `dev:
  api:
    workdir: /tmp
    remote: ${port}
    persistentVolume: { enabled: false }
    command: [sh, -c, "${program}"]
`

const ownConfig = 'Host *\n  ServerAliveInterval 5\n'

/** Until the program that was started a moment ago listens. */
const asked = async (words: ReadonlyArray<string>): Promise<string> => {
  const retry = ['--retry', '50', '--retry-delay', '0', '--retry-all-errors', '--max-time', '20']
  const { stdout } = await runProgram('curl', ['--silent', ...retry, ...words])
  return stdout
}

const connected = async (space: Space): Promise<void> => {
  const [port, local, remote, socks] = [await freePort(), await freePort(), 18_080, await freePort()]
  space.write('devtool.yml', manifest(port))
  const home = join(space.folder, '..')
  mkdirSync(join(home, '.ssh'), { mode: 0o700 })
  writeFileSync(join(home, '.ssh/config'), ownConfig)
  await space.create('Deployment', workload)

  const up = space.start('up', '--yes')
  const alias = `api.${space.namespace}.devtool`
  await up.says(`ssh: ${alias} -> container, through localhost:${port}`)
  const config = join(home, '.ssh/devtool', `${alias}.conf`)
  assert.is(readFileSync(join(home, '.ssh/config'), 'utf8'), `Include devtool/*.conf\n${ownConfig}`)

  const failed: unknown = await runProgram('ssh', ['-F', config, alias, 'echo out; echo err >&2; exit 7']).catch(
    (cause: unknown) => cause,
  )
  const { code, stderr, stdout } = Object(failed)
  assert.equal({ code, stderr, stdout }, { code: 7, stderr: 'err\n', stdout: 'out\n' })

  const content = Buffer.alloc(3_000_000, 'abc')
  writeFileSync(join(space.folder, 'here'), content)
  await runProgram('scp', ['-F', config, join(space.folder, 'here'), `${alias}:/tmp/there`])
  const batch = `mkdir /tmp/made\nput ${space.folder}/here /tmp/made/one\nrename /tmp/made/one /tmp/made/two\nget /tmp/made/two ${space.folder}/back\n`
  writeFileSync(join(space.folder, 'batch'), batch)
  await runProgram('sftp', ['-F', config, '-b', join(space.folder, 'batch'), alias])
  assert.ok(readFileSync(join(space.folder, 'back')).equals(content))

  const target = '127.0.0.1:8080'
  const forwards = ['-L', `${local}:${target}`, '-R', `${remote}:127.0.0.1:${local}`, '-D', String(socks)]
  const client = spawn('ssh', ['-F', config, '-N', ...forwards, alias], { stdio: 'ignore' })
  assert.is(await asked([`http://127.0.0.1:${local}`]), 'hello\n')
  assert.is(await asked(['--socks5', `127.0.0.1:${socks}`, `http://${target}`]), 'hello\n')
  const there = await runProgram('ssh', ['-F', config, alias, `wget -q -O - http://127.0.0.1:${remote}`])
  assert.is(there.stdout, 'hello\n')
  client.kill()

  // As VS Code does: a script on standard input, no terminal, one connection for it and for the ports.
  const editor = spawn('ssh', ['-F', config, '-T', '-D', String(socks), alias, 'sh'])
  editor.stdin.end('uname -s; echo "$HOME" | grep -c /; exit 3\n')
  const said = text(editor.stdout)
  const status = new Promise((resolve) => editor.once('close', resolve))
  assert.is(await said, 'Linux\n1\n')
  assert.is(await status, 3)

  await space.must('down')
  await up.ended
  assert.equal(readdirSync(join(home, '.ssh/devtool')), [])
  assert.is(readFileSync(join(home, '.ssh/config'), 'utf8'), `Include devtool/*.conf\n${ownConfig}`)
}

const all: ReadonlyArray<Scenario> = [
  {
    title: 'ssh, scp, sftp and forwarded ports work with the host name that up adds and down removes',
    space: 'dev-ssh',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: connected,
  },
]

const test = suite('dev-ssh')
await scenarios(test, all)
test.run()
