/** The port `Processes` for tests: the behaviour of each program is given, by its arguments. */
import { PassThrough, type Readable, type Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Processes, Spawned } from '../../src/ports/processes.ts'

/** Returns the exit status. */
export type MemoryProgram = (process: {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}) => Promise<number>

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15, SIGKILL: 9 } as const

const missing = (name = ''): E.Either<Diagnostic, never> =>
  E.left(error('DT3503', `the program ${name} does not exist`, { help: 'check its name, and the PATH' }))

const begin = (program: MemoryProgram, signal: AbortSignal): Spawned => {
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
  return { stdin, stdout, stderr, kill, exit: () => exit }
}

export const memoryProcesses = (programs: ReadonlyMap<string, MemoryProgram> = new Map()): Processes => ({
  spawn:
    ({ argv }, signal) =>
    () => {
      const program = programs.get(argv.join(' '))
      return Promise.resolve(program === undefined ? missing(argv[0]) : E.right(begin(program, signal)))
    },
  attach:
    ({ argv }, signal) =>
    async () => {
      const program = programs.get(argv.join(' '))
      if (program === undefined) return missing(argv[0])
      const { exit, stderr, stdout } = begin(program, signal)
      for (const stream of [stdout, stderr]) stream.resume()
      return E.right(await exit())
    },
})
