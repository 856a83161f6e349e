/** A process in the background, as `up --detach` leaves it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../support/process/until.ts'

const program = resolve('test/support/dev/background-program.ts')

const test = suite<{ home: string }>('background')
test.before.each((world) => {
  world.home = mkdtempSync(join(tmpdir(), 'devtool-background-'))
})
test.after.each(({ home }) => rmSync(home, { recursive: true, force: true }))

const run = async (home: string, give: string): Promise<{ readonly pid: number; readonly status?: number }> => {
  const env = { ...process.env, DEVTOOL_HOME: home }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, give, 'up/api.log'], {
    env,
  })
  return JSON.parse(stdout)
}

const logIn = (home: string): string => readFileSync(join(home, 'up/api.log'), 'utf8')

test('a background process keeps running after its parent has ended, and only its owner can read its log', async ({
  home,
}) => {
  const { pid, status } = await run(home, 'ready')
  assert.is(status, undefined)
  assert.ok(pid > 1)
  await until('it is still there', () => logIn(home).includes('still there'))
  assert.is(logIn(home), 'inside: ready, terminal: no\nstill there\n')
  assert.is(statSync(join(home, 'up/api.log')).mode & 0o777, 0o600)
})

test('the exit status of a background process that ends before it is ready is reported', async ({ home }) => {
  assert.is((await run(home, '7')).status, 7)
  assert.is(logIn(home), 'inside: 7, terminal: no\n')
})

test.run()
