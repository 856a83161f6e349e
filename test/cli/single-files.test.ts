/** What a single executable writes to a disk is a whole command, and a whole platform. Needs `npm run build`. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { filesInside } from '../../scripts/release/single.ts'

const folder = mkdtempSync(join(tmpdir(), 'single-files-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
for (const name of filesInside()) cpSync(join(root, 'dist', name), join(folder, name))

const run = (file: string, args: ReadonlyArray<string> = []) => {
  const env = { PATH: process.env['PATH'], HOME: folder }
  return spawnSync(process.execPath, [join(folder, file), ...args], { cwd: folder, encoding: 'utf8', env })
}

test('the command runs from the single files', () => {
  const file = join(root, 'examples/vote/compose.yaml')
  const { status, stderr, stdout } = run('devtool.cjs', ['deploy', '--dry-run', '--file', file])
  assert.is(status, 0, stderr)
  assert.match(stdout, 'kind: Deployment')
})

test('the programs of the platform run from the single files: only a cluster is missing', () => {
  for (const program of ['api', 'controller', 'runner']) {
    const { status, stderr } = run(`platform/${program}.cjs`)
    assert.match(stderr, 'error DT3008: no kubeconfig found')
    assert.is(status, 3)
  }
})

test('the files of the web pages are complete', () => {
  const page = readFileSync(join(folder, 'platform/web/index.html'), 'utf8')
  const named = [...page.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(named.length >= 3, page)
  for (const path of named) assert.ok(existsSync(join(folder, 'platform/web', path)), path)
})

test.run()
