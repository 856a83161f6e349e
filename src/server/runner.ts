/** The program of the two containers of a run. */
import * as E from 'fp-ts/lib/Either.js'
import { clone } from './clone.ts'
import { connect, ended, fail } from './program.ts'
import { runOnce } from './run.ts'

const main = async (): Promise<void> => {
  const { argv, env } = process
  if (argv[2] === 'clone') return clone(env)
  const connected = await connect()()
  if (E.isRight(connected)) {
    process.exitCode = await runOnce({ cluster: connected.right, env, stopped: ended })
    connected.right.close()
  } else fail(connected.left)
}

void main()
