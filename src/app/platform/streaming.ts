/** A stream can outlast the permissions of its reader. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { EventStream } from '../../domain/platform/api/events.ts'
import type { PlatformWorld } from './world.ts'

const CHECK_MS = 15_000

/** Ends the stream when the caller may no longer read it. */
export const whileAllowed = (
  { every }: Pick<PlatformWorld['clock'], 'every'>,
  isAllowed: Task<boolean>,
  events: EventStream,
): EventStream =>
  async function* allowed(signal) {
    const refused = new AbortController()
    const check = async (): Promise<void> => {
      if (!(await isAllowed())) refused.abort()
    }
    const stop = every(CHECK_MS, () => void check())
    try {
      yield* events(AbortSignal.any([signal, refused.signal]))
    } finally {
      stop()
    }
  }
