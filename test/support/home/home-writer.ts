/**
 * A process that appends lines to a file of the settings folder: `home-writer.ts FILE ID COUNT`. It retries while
 * others hold the lock, which on a busy machine may take longer than a command waits.
 */
import * as E from 'fp-ts/lib/Either.js'
import { nodeHome } from '../../../src/adapters/node-fs/home.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'

const [, , file = '', id = '', count = '1'] = process.argv
const home = nodeHome(process.env, systemClock)
for (let n = 0; n < Number(count); n += 1) {
  const change = home.change(file, (text = '') => E.right(`${text}${id}-${n}\n`))
  let changed = await change()
  for (let tries = 1; tries < 10 && E.isLeft(changed) && changed.left.code === 'DT2106'; tries += 1)
    changed = await change()
  if (E.isLeft(changed)) {
    process.stderr.write(`${changed.left.message}\n`)
    process.exitCode = 1
  }
}
