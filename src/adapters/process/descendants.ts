/** Ends a program in this process's group, since the terminal belongs to one group, with all its descendants. */
import { spawnSync } from 'node:child_process'
import { grouped } from '../../domain/object/grouped.ts'
import type { Clock } from '../../ports/clock.ts'
import { guard } from './guard.ts'

const patienceMs = 5000

/** The processes according to `ps`; none without it. */
const processes = (): ReadonlyArray<{ readonly pid: number; readonly parent: number }> => {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], {
    encoding: 'utf8',
    timeout: 2000,
    // The user's PATH may begin in the current folder.
    env: { PATH: '/usr/bin:/bin' },
  })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return pid === undefined || parent === undefined ? [] : [{ pid, parent }]
  })
}

const treeOf = (pid: number): ReadonlyArray<number> => {
  const children = grouped(processes(), ({ parent }) => parent)
  const below = (one: number): ReadonlyArray<number> => [
    one,
    ...(children.get(one) ?? []).flatMap((child) => below(child.pid)),
  ]
  return below(pid)
}

const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended.
    }
  }
}

/** Active until the returned function is called. */
export const overseeTree = (pid: number, signal: AbortSignal, clock: Pick<Clock, 'after'>): (() => void) => {
  const release = guard({ pid })
  let tree: ReadonlyArray<number> = []
  let spare: (() => void) | undefined
  const onAbort = (): void => {
    tree = treeOf(pid)
    signalAll(tree, 'SIGTERM')
    spare = clock.after(patienceMs, () => signalAll(tree, 'SIGKILL'))
  }
  const onExit = (): void => signalAll(treeOf(pid), 'SIGTERM')
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  process.on('exit', onExit)
  return () => {
    release()
    spare?.()
    signal.removeEventListener('abort', onAbort)
    process.off('exit', onExit)
  }
}
