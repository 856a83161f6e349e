/** The port `Processes` on this machine: programs in process groups of their own, with pipes as their streams. */
import { spawn } from 'node:child_process'
import * as E from 'fp-ts/lib/Either.js'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processes } from '../../ports/processes.ts'
import { statusOf } from './child.ts'
import { overseeGroup, signalGroup } from './interrupt.ts'
import { exitOf } from './pipes.ts'
import { findProgram, isFolder } from './programs.ts'

export const nodeProcesses = (clock: Pick<Clock, 'after'>): Processes => ({
  spawn:
    ({ argv, env, folder }, signal) =>
    async () => {
      const [name = '', ...args] = argv
      if (!(await isFolder(folder))) return E.left(error('DT3503', `the folder ${folder} does not exist`))
      const file = await findProgram(name, env, folder)
      if (file === undefined) {
        return E.left(error('DT3503', `the program ${name} does not exist`, { help: 'check its name, and the PATH' }))
      }
      const child = spawn(file, args, {
        cwd: folder,
        env: Object.fromEntries(env),
        stdio: 'pipe',
        detached: process.platform !== 'win32',
        windowsHide: true,
      })
      // A program may stop reading its input: only its exit status says whether it failed.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
      const exit = new Promise<number>((resolve) => {
        child.once('exit', (code, ended) => resolve(statusOf(exitOf(code, ended))))
      })
      const failure = await new Promise<Error | undefined>((resolve) => {
        child.once('spawn', () => resolve(undefined))
        child.once('error', resolve)
      })
      const { pid, stderr, stdin, stdout } = child
      if (failure !== undefined || pid === undefined) {
        return E.left(error('DT3503', `it cannot be started: ${failure?.message ?? 'it has no process id'}`))
      }
      const leave = overseeGroup(pid, signal, clock)
      void exit.then(leave)
      return E.right({ stdin, stdout, stderr, kill: (which) => void signalGroup(pid, which), exit: () => exit })
    },
})
