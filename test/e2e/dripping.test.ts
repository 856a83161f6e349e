/** Commands that only read, from an API server that sends a byte now and then and never finishes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shown, startDevtool } from '../support/e2e/command.ts'
import { behaviours, type HostileServer, hostileServer } from '../support/http/hostile.ts'

type World = { folder: string; server: HostileServer }

const commands = ['list', 'list shop', 'why', 'endpoints', 'doctor', 'doctor --check']
const test = suite<World>('a dripping API server')

test.before(async (world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'devtool-dripping-'))
  const behave = behaviours['a body byte by byte']
  if (behave === undefined) throw new Error('it has no such behaviour')
  world.server = await hostileServer(behave)
  const kubeconfig = {
    'current-context': 'slow',
    clusters: [{ name: 'slow', cluster: { server: `http://127.0.0.1:${world.server.port}` } }],
    contexts: [{ name: 'slow', context: { cluster: 'slow', user: 'me', namespace: 'demo' } }],
    users: [{ name: 'me', user: {} }],
  }
  writeFileSync(join(world.folder, 'kubeconfig'), JSON.stringify(kubeconfig))
  writeFileSync(join(world.folder, 'compose.yaml'), 'name: shop\nservices: {web: {image: nginx}}\n')
})

test.after(({ folder, server }) => {
  server.close()
  rmSync(folder, { recursive: true })
})

const start = ({ folder }: World, command: string, ...flags: ReadonlyArray<string>) => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'kubeconfig'), NO_COLOR: '1' }
  return startDevtool([...command.split(' '), ...flags], { cwd: folder, env })
}

/** `doctor` still writes what is known without the cluster. */
const withoutReport = (stdout: string): string => stdout.replace(/^devtool-doctor-\d+\.zip\n$/, '')

test('list, why, endpoints and doctor end after 30 seconds with status 8', async (world) => {
  const runs = await Promise.all(commands.map((command) => start(world, command).ended))
  for (const ended of runs) {
    assert.equal([ended.status, withoutReport(ended.stdout)], [8, ''], shown(ended))
    assert.match(ended.stderr, 'DT3170: the API server did not respond within 30 s')
  }
})

test('they end at their --timeout with status 6', async (world) => {
  const runs = await Promise.all(commands.map((command) => start(world, command, '--timeout', '3s').ended))
  for (const ended of runs) assert.equal([ended.status, withoutReport(ended.stdout)], [6, ''], shown(ended))
})

test('they end at the first Ctrl-C', async (world) => {
  const runs = commands.map((command) => {
    const running = start(world, command)
    return { running, sent: running.says('waiting for the API server') }
  })
  const interrupted = runs.map(async ({ running, sent }) => {
    await sent
    running.child.kill('SIGINT')
    return (await running.ended).status
  })
  for (const status of await Promise.all(interrupted)) assert.is(status, 130)
})

test.run()
