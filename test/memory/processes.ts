/** The port `Processes` for tests: the behaviour of each program is given, by its arguments. */
import { PassThrough, type Readable, type Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Processes } from '../../src/ports/processes.ts'

/** Returns the exit status. */
export type MemoryProgram = (process: {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}) => Promise<number>

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15, SIGKILL: 9 } as const

export const memoryProcesses = (programs: ReadonlyMap<string, MemoryProgram> = new Map()): Processes => ({
  spawn:
    ({ argv }, signal) =>
    () => {
      const program = programs.get(argv.join(' '))
      if (program === undefined) {
        const failure = error('DT3503', `the program ${argv[0] ?? ''} does not exist`, {
          help: 'check its name, and the PATH',
        })
        return Promise.resolve(E.left(failure))
      }
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
      let kill = (_name: keyof typeof numbers): void => {}
      const killed = new Promise<number>((resolve) => {
        kill = (name) => resolve(128 + numbers[name])
      })
      signal.addEventListener('abort', () => kill('SIGINT'), { once: true })
      if (signal.aborted) kill('SIGINT')
      const exit = Promise.race([program({ stdin, stdout, stderr }), killed]).finally(() => {
        stdout.end()
        stderr.end()
        stdin.destroy()
      })
      return Promise.resolve(E.right({ stdin, stdout, stderr, kill, exit: () => exit }))
    },
})
