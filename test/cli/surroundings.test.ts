/** The built program where something around it is broken: one clear line, and no stack trace. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installedWords } from '../support/cli/installed.ts'

const test = suite<{ folder: string }>('surroundings')

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'surroundings-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const run = (folder: string, command: string, env: Readonly<Record<string, string>> = {}) => {
  const { stderr, status } = spawnSync('sh', ['-c', `devtool() { ${installedWords} "$@"; }\n${command}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.not.match(stderr, /^\s+at /m)
  return { status, stderr }
}

for (const command of ['deploy --dry-run', 'validate', 'list', 'init']) {
  test(`${command} in a deleted folder is an error that says so`, ({ folder }) => {
    const { status, stderr } = run(folder, `mkdir gone && cd gone && rmdir ../gone && devtool ${command}`)
    assert.equal(
      [status, stderr],
      [3, 'error DT1007: the current folder no longer exists\n  help: change to another folder\n'],
    )
  })
}

test('a FIFO in place of a stored file does not block', ({ folder }) => {
  mkdirSync(join(folder, 'context'))
  const { status, stderr } = run(folder, 'mkfifo context/config.json && devtool context list', {
    DEVTOOL_HOME: folder,
  })
  assert.is(status, 5)
  assert.match(stderr, /^error DT2104: cannot read .*config\.json: it is not a regular file\n/)
})

test('a full disk is named where the output goes', ({ folder }) => {
  const { status, stderr } = run(folder, 'devtool schema compose > /dev/full')
  assert.equal([status, stderr], [1, 'error DT2006: cannot write to the standard output: no space left on the disk\n'])
})

/** What a program meets on a full disk: files can be made, and hold nothing. */
const fullDisk = `const fs = require('node:fs')
const whole = fs.writeFileSync
fs.writeFileSync = (file, ...rest) => {
  if (typeof file !== 'number') return whole(file, ...rest)
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
`

test('a full disk is named where settings are stored, and what was there stays', ({ folder }) => {
  const cluster = { name: 'a', cluster: { server: 'https://127.0.0.1:1' } }
  const context = { name: 'a', context: { cluster: 'a', user: '' } }
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify({ clusters: [cluster], contexts: [context] }))
  mkdirSync(join(folder, 'home/context'), { recursive: true })
  writeFileSync(join(folder, 'home/context/config.json'), '{"contexts":{}}')
  writeFileSync(join(folder, 'full-disk.cjs'), fullDisk)
  const { status, stderr } = run(folder, 'devtool context use a', {
    DEVTOOL_HOME: join(folder, 'home'),
    KUBECONFIG: join(folder, 'kubeconfig'),
    DEVTOOL_NO_CODE_CACHE: '1',
    NODE_OPTIONS: `--require ${join(folder, 'full-disk.cjs')}`,
  })
  assert.is(status, 5, stderr)
  assert.match(stderr, /^error DT2104: cannot write .*config\.json: no space left on the disk\n {2}help: .*\n$/)
  assert.is(readFileSync(join(folder, 'home/context/config.json'), 'utf8'), '{"contexts":{}}')
  assert.equal(readdirSync(join(folder, 'home/context')), ['config.json'])
})

test('a settings file that cannot be written is one error, and leaves no temporary file', ({ folder }) => {
  const cluster = { name: 'a', cluster: { server: 'https://127.0.0.1:1' } }
  const context = { name: 'a', context: { cluster: 'a', user: '' } }
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify({ clusters: [cluster], contexts: [context] }))
  const { status, stderr } = run(folder, 'ulimit -f 0; devtool context use a', {
    DEVTOOL_HOME: join(folder, 'home'),
    KUBECONFIG: join(folder, 'kubeconfig'),
    DEVTOOL_NO_CODE_CACHE: '1',
  })
  assert.is(status, 5)
  assert.match(stderr, /^error DT2104: cannot write .*config\.json: the file would be too large\n {2}help: .*\n$/)
  assert.equal(readdirSync(join(folder, 'home/context')), [])
})

test('there is one warning if certificates are not checked', ({ folder }) => {
  const cluster = { name: 'a', cluster: { server: 'https://127.0.0.1:1' } }
  const context = { name: 'a', context: { cluster: 'a', user: '' } }
  writeFileSync(
    join(folder, 'kubeconfig'),
    JSON.stringify({ clusters: [cluster], contexts: [context], 'current-context': 'a' }),
  )
  const { stderr } = run(folder, 'devtool list --kubeconfig kubeconfig', {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  })
  assert.is(stderr.split('NODE_TLS_REJECT_UNAUTHORIZED').length - 1, 1, stderr)
  assert.match(stderr, 'warning DT3172')
})

test.run()
