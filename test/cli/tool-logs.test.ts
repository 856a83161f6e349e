/** Which runs of the built command leave a log of their requests: none that makes no request. Needs `npm run build`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../support/cli/installed.ts'

const test = suite<{ folder: string }>('tool logs')

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'tool-logs-'))
  writeFileSync(join(context.folder, 'compose.yaml'), 'name: shop\nservices: {web: {image: nginx}}\n')
  const cluster = { name: 'a', cluster: { server: 'http://127.0.0.1:1' } }
  const named = { name: 'a', context: { cluster: 'a', user: '' } }
  const config = { clusters: [cluster], contexts: [named], 'current-context': 'a' }
  writeFileSync(join(context.folder, 'kubeconfig'), JSON.stringify(config))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

/** The logs that a run leaves. */
const logsAfter = (folder: string, line: string): { readonly status: number | null; readonly logs: number } => {
  const [program, ...before] = installed
  const args = [...before, ...line.split(' ')]
  const home = join(folder, 'home')
  const env = { PATH: process.env['PATH'], HOME: folder, DEVTOOL_HOME: home, KUBECONFIG: join(folder, 'kubeconfig') }
  const { status } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
  const logs = join(home, 'log')
  return { status, logs: existsSync(logs) ? readdirSync(logs).length : 0 }
}

for (const line of [
  'help',
  'help deploy',
  'deploy --help',
  'help status',
  'version',
  'completion bash',
  'explain DT1002',
  'explain services.ports',
  'schema compose',
  'validate',
  'deploy --dry-run',
  'deploy --dry-run -o json',
]) {
  test(`\`${line}\` writes no log`, ({ folder }) => {
    assert.equal(logsAfter(folder, line), { status: 0, logs: 0 })
  })
}

test('a run that asks a cluster writes one', ({ folder }) => {
  assert.equal(logsAfter(folder, 'list'), { status: 8, logs: 1 })
})

test.run()
