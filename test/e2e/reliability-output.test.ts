/** What must never come out: secrets, anywhere, and text of pods that would drive a terminal. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { editorOf } from '../support/e2e/account.ts'
import { compose, neverReady, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const canaries = { PASSWORD: 'canary-of-the-environment-7f3a', OTHER: 'canary-of-a-second-run-91bd' }
const inFile = 'canary-in-a-file-c0ffee'

const app = (...web: ReadonlyArray<string>): string =>
  compose(
    { web: [...page('web', 'ports: ["8080:8080"]', 'secrets: [password, file]'), ...web], never: neverReady },
    'secrets: {password: {environment: PASSWORD}, file: {file: secret.txt}}',
  )

/** Command lines of all processes that have been seen, which everybody on the machine may read. */
const watchProcesses = () => {
  const seen = new Set<string>()
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        seen.add(readFileSync(join('/proc', pid, 'cmdline'), 'utf8'))
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  const timer = setInterval(look, 25)
  return { seen, stop: () => clearInterval(timer) }
}

/** Control characters but line ends and tabs. */
const driving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

const test = suite('output')

await scenarios(test, [
  {
    title: 'has no secrets, whatever is run, also with --loglevel debug and with the role edit only',
    space: 'canary',
    options: { env: canaries },
    unless: ({ nodes }) => (nodes.length === 0 || process.platform !== 'linux' ? 'needs Linux and a node' : undefined),
    run: async (space, lab) => {
      const account = await editorOf(lab, space)
      const { run } = space.through(account.kubeconfig, account.context)
      space.write('secret.txt', inFile)
      space.write('compose.yaml', app())
      const processes = watchProcesses()
      const said = new Map<string, string>()
      const say = async (...args: ReadonlyArray<string>): Promise<void> => {
        const [command = '', ...flags] = args
        const ended = await run(command, '--loglevel', 'debug', ...flags)
        said.set(args.join(' '), shown(ended))
      }
      await say('deploy', '--dry-run')
      await say('deploy', '--dry-run=server')
      await say('deploy', '--wait', '--timeout', '6s')
      await say('why')
      space.write('secret.txt', `${inFile}-changed`)
      space.write(
        'compose.yaml',
        app('environment: {CHANGED: "1"}').replace('{environment: PASSWORD}', '{environment: OTHER}'),
      )
      for (const form of ['text', 'json']) await say('deploy', '--diff', '--output', form)
      await say('deploy', '--timeout', '2m')
      for (const command of ['list', 'endpoints', 'logs', 'doctor', 'context show', 'destroy']) {
        await say(...command.split(' '))
      }
      processes.stop()
      for (const file of readdirSync(space.folder).filter((name) => name.endsWith('.zip'))) {
        const inside = unzipSync(readFileSync(join(space.folder, file)))
        for (const [name, bytes] of Object.entries(inside)) said.set(`${file}/${name}`, new TextDecoder().decode(bytes))
      }
      said.set('the process list', [...processes.seen].join('\n'))
      const secrets = [...Object.values(canaries), inFile, account.token]
      const encoded = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')])
      for (const [where, text] of said) {
        for (const secret of encoded) assert.not(text.includes(secret), `${secret.slice(0, 12)}… in ${where}`)
      }
      assert.match(said.get('deploy --timeout 2m') ?? '', /^status 0/, said.get('deploy --timeout 2m'))
    },
  },
  {
    title: 'of a pod cannot control the terminal',
    space: 'escapes',
    unless: ({ nodes }) => (nodes.length === 0 ? 'needs a node' : undefined),
    run: async (space) => {
      const script = `printf '\\\\033]52;c;eA==\\\\007\\\\033[2J\\\\033[1Acopied\\\\r over \\\\302\\\\233 \\\\342\\\\200\\\\256 end\\\\n'; exit 3`
      space.write('compose.yaml', compose({ bad: ['image: busybox:latest', `command: ["sh", "-c", "${script}"]`] }))
      const failed = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(failed.status, 1, shown(failed))
      assert.match(failed.stderr, 'copied')
      const outputs = [failed, await space.run('logs', '--no-follow'), await space.run('why')]
      for (const ended of outputs) assert.not.match(shown(ended), driving, JSON.stringify(shown(ended)))
    },
  },
])

test.run()
