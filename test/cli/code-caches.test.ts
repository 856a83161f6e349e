/** Needs `npm run build`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { root } from '../../scripts/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'code-caches-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('small and large projects share their code caches', () => {
  const cachesAfter = (services: number): ReadonlyArray<string> => {
    const file = join(folder, `${services}.yaml`)
    writeFileSync(file, benchFile(services))
    const command = [join(root, 'dist/devtool.cjs'), 'deploy', '--dry-run', '--file', file]
    execFileSync(process.execPath, command, { env: { XDG_CACHE_HOME: folder }, stdio: 'ignore' })
    return readdirSync(join(folder, 'devtool')).map((name) => `${name} ${statSync(join(folder, 'devtool', name)).ino}`)
  }
  const first = cachesAfter(100)
  assert.is(first.length, 2)
  for (const services of [1, 100]) assert.equal(cachesAfter(services), first)
})

test.run()
