/**
 * The kernel's queue of file system events. All watches of a process share it, and when it is full, further events are
 * dropped without a report: so events are counted, and any folder may have lost some.
 */
import { readFileSync } from 'node:fs'

type EventQueue = {
  /** To be called for each event. */
  readonly count: () => void
  /** Calls `tell` when events may have been dropped, until it is stopped. */
  readonly onOverflow: (tell: () => void) => () => void
}

const mostIn = (file: string): number => {
  try {
    return Number(readFileSync(file, 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}

/** `limitFile`: where the kernel says how many events it queues. */
export const newEventQueue = (limitFile: string): EventQueue => {
  const tellers = new Set<() => void>()
  let limit: number | undefined
  let events = 0
  /** The queue is always read until it is empty, which has happened when immediates run. */
  const emptied = (): void => {
    limit ??= mostIn(limitFile)
    // Half, since events of watches that were closed before these were read are told to nobody.
    const isOverflow = events >= limit / 2
    events = 0
    if (isOverflow) for (const tell of [...tellers]) tell()
  }
  return {
    count: () => {
      events += 1
      if (events === 1) setImmediate(emptied)
    },
    onOverflow: (tell) => {
      tellers.add(tell)
      return () => void tellers.delete(tell)
    },
  }
}

/** That of this process. */
export const eventQueue = newEventQueue('/proc/sys/fs/inotify/max_queued_events')
