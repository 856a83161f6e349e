/**
 * SIGINT and SIGTERM end the command at any moment of a computation, with the status of that signal and without a word.
 * Needs `npm run build`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { hostileInputs } from '../../scripts/hostile-files.ts'
import { runInstalled as run } from '../support/cli/installed.ts'
import type { Ended } from '../support/cli/run-command.ts'

const test = suite<{ folder: string }>('stopped')

test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'stopped-'))
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** 200 ms on a machine with nothing else to do, which scripts/bench-hostile.ts measures. */
const mostMs = 60_000

/** While Node starts, while the file is read, while it is translated and printed. */
const moments = [0, 40, 120, 250, 500, 900]

const isSilent = (ended: Ended, status: number): boolean =>
  ended.status === status && ended.stdout === '' && ended.stderr === ''

/** Between its last words and its end a command may still be stopped. */
const isWhole = (ended: Ended, whole: Ended, status: number, message: string): void =>
  assert.equal(ended, { ...whole, status: ended.status === status ? status : whole.status }, message)

for (const [stop, status] of signals) {
  test(`${stop} ends a large translation at any moment, unless it is over`, async ({ folder }) => {
    const input = benchFile(10_000)
    const whole = await run(folder, ['validate', '-f', '-'], { input })
    let stopped = 0
    for (const stopAfterMs of moments) {
      const begin = performance.now()
      const ended = await run(folder, ['validate', '-f', '-'], { input, stop, stopAfterMs })
      assert.ok(performance.now() - begin < stopAfterMs + mostMs, `stops soon after ${stopAfterMs} ms`)
      if (isSilent(ended, status)) stopped += 1
      else isWhole(ended, whole, status, `after ${stopAfterMs} ms`)
    }
    assert.ok(stopped > 0)
  })

  test(`${stop} ends the refusal of hostile input at any moment, unless it is over`, async ({ folder }) => {
    let stopped = 0
    for (const [index, { files }] of hostileInputs.entries()) {
      const cwd = join(folder, `${stop}-${index}`)
      mkdirSync(cwd)
      for (const [path, text] of Object.entries(files())) writeFileSync(join(cwd, path), text)
      const stopAfterMs = moments[index % moments.length] ?? 0
      const begin = performance.now()
      const ended = await run(cwd, ['deploy', '--dry-run'], { stop, stopAfterMs })
      assert.ok(performance.now() - begin < stopAfterMs + mostMs, `input ${index} ends soon`)
      if (isSilent(ended, status)) stopped += 1
      else isWhole(ended, await run(cwd, ['deploy', '--dry-run']), status, `input ${index}`)
      rmSync(cwd, { recursive: true })
    }
    assert.ok(stopped > 0)
  })
}

test.run()
