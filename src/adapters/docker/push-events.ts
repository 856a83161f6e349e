/** Turns the Docker daemon's messages about a push into build events. */

import type { BuildEvent } from '../../domain/build/event.ts'
import { type Json, numberAt, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'

type Transfer = Extract<BuildEvent, { readonly _tag: 'Transfer' }>

export type PushEvents = {
  readonly started: () => BuildEvent
  /** `error`: why the push failed. */
  readonly ended: (error?: string) => BuildEvent
  /** Handles one message of the daemon. */
  readonly of: (message: Json) => ReadonlyArray<BuildEvent>
}

/** `now` in milliseconds since 1970. */
export const pushEvents = (reference: string, now: () => number): PushEvents => {
  const vertex = `push:${reference}`
  const startedMs = now()
  const layers = new Map<string, Transfer>()
  const waiting = new Map<string, number>()
  const moved = (id: string, message: Json): ReadonlyArray<BuildEvent> => {
    const current = numberAt(message, 'progressDetail', 'current')
    if (current === undefined) return []
    const known = layers.get(id)
    const transfer: Transfer = {
      _tag: 'Transfer',
      vertex,
      id,
      name: `layer ${id}`,
      current,
      // The daemon does not know the size of some layers, and of others only that of the files without their headers.
      total: Math.max(numberAt(message, 'progressDetail', 'total') ?? 0, known?.total ?? 0, current),
      startedMs: known?.startedMs ?? now(),
    }
    layers.set(id, transfer)
    return [transfer]
  }
  const finished = (id: string): ReadonlyArray<BuildEvent> => {
    const known = layers.get(id)
    layers.delete(id)
    return known === undefined ? [] : [{ ...known, current: known.total, endedMs: now() }]
  }
  /** The daemon counts down the seconds; only the start is reported. */
  const waited = (id: string, seconds: number): ReadonlyArray<BuildEvent> => {
    const isNew = seconds >= (waiting.get(id) ?? 0)
    waiting.set(id, seconds)
    const text = `layer ${id}: the registry failed, trying again in ${seconds} s\n`
    return isNew ? [{ _tag: 'Log', vertex, isError: true, text }] : []
  }
  const step = { _tag: 'Vertex', digest: vertex, name: `pushing ${reference}`, isCached: false, startedMs } as const
  return {
    started: () => step,
    ended: (error) => ({ ...step, endedMs: now(), ...defined({ error }) }),
    of: (message) => {
      const id = textAt(message, 'id')
      if (id === undefined) return []
      const status = textAt(message, 'status') ?? ''
      const [, seconds] = /^Retrying in (\d{1,4}) seconds?\b/.exec(status) ?? []
      if (seconds !== undefined) return waited(id, Number(seconds))
      if (status === 'Pushing') return moved(id, message)
      return status === 'Pushed' ? finished(id) : []
    },
  }
}
