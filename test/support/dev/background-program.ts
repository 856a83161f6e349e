/**
 * A program that starts itself in the background, and prints what it then knows. The background process reports that it
 * is ready, or ends before that with the given status. Its arguments: the status, and the log.
 */
import { loggedBackground } from '../../../src/adapters/node-fs/background.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'

const [give = '', log = ''] = process.argv.slice(2)

const background = loggedBackground(process.env, process.cwd(), systemClock)

if (process.send === undefined) {
  const started = await background.start(give, log, new AbortController().signal)()
  console.log(JSON.stringify(started._tag === 'Right' ? started.right : started.left))
} else {
  console.log(`inside: ${background.given}, terminal: ${process.stdin.isTTY ? 'yes' : 'no'}`)
  if (give !== 'ready') process.exit(Number(give))
  await background.ready()
  // It goes on after the parent has ended.
  setTimeout(() => console.log('still there'), 300)
}
