/** A process that appends lines to a file of the settings folder: `home-writer.ts FILE ID COUNT`. */
import * as E from 'fp-ts/lib/Either.js'
import { nodeHome } from '../../src/adapters/node-fs/home.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'

const [, , file = '', id = '', count = '1'] = process.argv
const home = nodeHome(process.env, systemClock)
for (let n = 0; n < Number(count); n += 1) {
  const changed = await home.change(file, (text = '') => E.right(`${text}${id}-${n}\n`))()
  if (E.isLeft(changed)) {
    process.stderr.write(`${changed.left.message}\n`)
    process.exitCode = 1
  }
}
