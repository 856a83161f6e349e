/** What watches tell, kept so that all about one service is found at once. */
import { textAt } from './json.ts'
import { type Live, labelOf, type Observed } from './live.ts'

const SERVICE_LABEL = 'dev.devtool/service'

/** Most events of a namespace are about others, and there can be many: of one object only the last ones say anything. */
const MOST_EVENTS = 20

type Objects = Map<string, Map<string, Live>>

/** `changed`: of which services something was seen since it was last asked; '' stands for what is of none. */
export type World = {
  readonly see: (object: Live) => void
  readonly forget: (object: Live) => void
  /** All objects of a kind at once: what is not among them is gone. */
  readonly reset: (kind: string, objects: ReadonlyArray<Live>) => void
  /** All that is known of a service, what is of no service (claims, quotas), and the events about either. */
  readonly of: (service: string) => Observed
  readonly all: () => Observed
  readonly takeChanged: () => ReadonlySet<string>
}

const put = (objects: Objects, kind: string, name: string, live: Live): void => {
  const known = objects.get(kind)
  if (known === undefined) objects.set(kind, new Map([[name, live]]))
  else known.set(name, live)
}

const involved = (event: Live): string =>
  textAt(event, 'involvedObject', 'uid') ?? textAt(event, 'regarding', 'uid') ?? ''

const isOlder = (a: Live, b: Live): boolean => {
  const [before, after] = [Number(a.metadata.resourceVersion), Number(b.metadata.resourceVersion)]
  return Number.isFinite(before) && Number.isFinite(after) && before < after
}

const merged = (...parts: ReadonlyArray<Objects | undefined>): Objects => {
  const out: Objects = new Map()
  for (const part of parts)
    for (const [kind, known] of part ?? []) out.set(kind, new Map([...(out.get(kind) ?? []), ...known]))
  return out
}

export const emptyWorld = (): World => {
  const byService = new Map<string, Objects>()
  const owners = new Map<string, string>()
  const events = new Map<string, Map<string, Live>>()
  let changed = new Set<string>()

  const seeEvent = (event: Live): void => {
    const uid = involved(event)
    const known = events.get(uid) ?? new Map<string, Live>()
    known.delete(event.metadata.name)
    known.set(event.metadata.name, event)
    for (const name of known.keys()) {
      if (known.size <= MOST_EVENTS) break
      known.delete(name)
    }
    events.set(uid, known)
    const service = owners.get(uid)
    if (service !== undefined) changed.add(service)
  }

  const see = (object: Live): void => {
    if (object.kind === 'Event') return seeEvent(object)
    const service = labelOf(object, SERVICE_LABEL) ?? ''
    const objects = byService.get(service) ?? new Map()
    const before = objects.get(object.kind)?.get(object.metadata.name)
    // A watch lags behind the answers to writes: it may still tell of the predecessor of what was just made anew.
    if (before !== undefined && isOlder(object, before)) return
    byService.set(service, objects)
    put(objects, object.kind, object.metadata.name, object)
    owners.set(object.metadata.uid, service)
    changed.add(service)
  }

  const forget = (object: Live): void => {
    if (object.kind === 'Event') {
      events.get(involved(object))?.delete(object.metadata.name)
      return
    }
    const service = labelOf(object, SERVICE_LABEL) ?? ''
    const known = byService.get(service)?.get(object.kind)
    if (known?.get(object.metadata.name)?.metadata.uid !== object.metadata.uid) return
    known.delete(object.metadata.name)
    owners.delete(object.metadata.uid)
    events.delete(object.metadata.uid)
    changed.add(service)
  }

  const eventsAbout = (objects: Objects): Objects => {
    const about = new Map<string, Live>()
    for (const known of objects.values()) {
      for (const { metadata } of known.values()) {
        for (const [name, event] of events.get(metadata.uid) ?? []) about.set(name, event)
      }
    }
    return new Map([['Event', about]])
  }

  const withEvents = (objects: Objects): Observed => merged(objects, eventsAbout(objects))

  return {
    see,
    forget,
    reset: (kind, objects) => {
      if (kind === 'Event') events.clear()
      const kept = new Set(objects.map(({ metadata }) => metadata.uid))
      const gone = [...byService.values()].flatMap((known) => [...(known.get(kind)?.values() ?? [])])
      for (const object of gone) if (!kept.has(object.metadata.uid)) forget(object)
      for (const object of objects) see(object)
    },
    of: (service) => withEvents(merged(byService.get(service), service === '' ? undefined : byService.get(''))),
    all: () => withEvents(merged(...byService.values())),
    takeChanged: () => {
      const taken = changed
      changed = new Set()
      return taken
    },
  }
}
