/** Needs `npm run build`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { root } from '../../scripts/command.ts'
import { listen } from '../support/process/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'code-caches-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const deploy = (services: number, cache: string, flags: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const file = join(folder, `${services}.yaml`)
  writeFileSync(file, benchFile(services))
  const command = [...flags, join(root, 'dist/devtool.cjs'), 'deploy', '--dry-run', '--file', file]
  execFileSync(process.execPath, command, { env: { XDG_CACHE_HOME: cache }, stdio: 'ignore' })
  return readdirSync(join(cache, 'devtool')).toSorted()
}

test('small and large projects share their code caches', () => {
  const cachesAfter = (services: number): ReadonlyArray<string> =>
    deploy(services, folder).map((name) => `${name} ${statSync(join(folder, 'devtool', name)).ino}`)
  const first = cachesAfter(100)
  assert.is(first.length, 2)
  for (const services of [1, 100]) assert.equal(cachesAfter(services), first)
})

test('code that V8 would drop during a long run is in the code caches', () => {
  const sizesWith = (flags: ReadonlyArray<string>): ReadonlyArray<number> => {
    const cache = mkdtempSync(join(folder, 'cache-'))
    return deploy(1_000, cache, flags).map((name) => statSync(join(cache, 'devtool', name)).size)
  }
  const usual = sizesWith([])
  sizesWith(['--stress-flush-code']).forEach((size, index) =>
    assert.ok(size > 0.95 * (usual[index] ?? 0), `${size} of ${usual[index]}`),
  )
})

/** Interrupted while a server that never answers is asked. */
const interrupted = async (command: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const cache = mkdtempSync(join(folder, 'cache-'))
  const server = createServer()
  const port = await listen(server)
  const kubeconfig = join(cache, 'kubeconfig')
  const cluster = { name: 'a', cluster: { server: `http://127.0.0.1:${port}` } }
  const context = { name: 'a', context: { cluster: 'a' } }
  writeFileSync(kubeconfig, JSON.stringify({ clusters: [cluster], contexts: [context], 'current-context': 'a' }))
  const asked = once(server, 'connection')
  const env = { HOME: cache, XDG_CACHE_HOME: cache, KUBECONFIG: kubeconfig }
  const running = spawn(process.execPath, [join(root, 'dist/devtool.cjs'), ...command], { env, stdio: 'ignore' })
  await asked
  running.kill('SIGINT')
  assert.equal(await once(running, 'exit'), [130, null])
  server.close()
  const kept = join(cache, 'devtool')
  return existsSync(kept) ? readdirSync(kept) : []
}

test('a command that usually lasts until it is interrupted has code caches, too', async () => {
  assert.ok((await interrupted(['logs', 'web'])).length > 0)
  assert.equal(await interrupted(['list']), [])
})

test.run()
