/** The state reported by watches, indexed so that everything about one service is found at once. */
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { textAt } from './json.ts'
import { type ClusterObject, claimsOf, labelOf, type Observed } from './live.ts'

/** A namespace can have many events, most of them about other things: only the latest of each object matter. */
const MOST_EVENTS = 20

type Objects = Map<string, Map<string, ClusterObject>>

export type ClusterState = {
  readonly see: (object: ClusterObject) => void
  readonly forget: (object: ClusterObject) => void
  /** Replaces all objects of a kind: those not listed no longer exist. */
  readonly reset: (kind: string, objects: ReadonlyArray<ClusterObject>) => void
  /**
   * Everything known about a service: its objects, objects without a service (claims, quotas), and the events about the
   * service and the claims of its pods. A live view: it follows changes.
   */
  readonly of: (service: string) => Observed
  /** The newer of this object and what is known of it; `undefined` when its kind was listed and it is not there. */
  readonly latest: (object: ClusterObject) => ClusterObject | undefined
}

const put = (objects: Objects, kind: string, name: string, live: ClusterObject): void => {
  const known = objects.get(kind)
  if (known === undefined) objects.set(kind, new Map([[name, live]]))
  else known.set(name, live)
}

const involved = (event: ClusterObject): string =>
  textAt(event, 'involvedObject', 'uid') ?? textAt(event, 'regarding', 'uid') ?? ''

const isOlder = (a: ClusterObject, b: ClusterObject): boolean => {
  const [before, after] = [Number(a.metadata.resourceVersion), Number(b.metadata.resourceVersion)]
  return Number.isFinite(before) && Number.isFinite(after) && before < after
}

/** Lookups copy nothing; iteration does. */
const layered = (
  over: ReadonlyMap<string, ClusterObject>,
  under: ReadonlyMap<string, ClusterObject>,
): ReadonlyMap<string, ClusterObject> => {
  const all = (): ReadonlyMap<string, ClusterObject> => new Map([...over, ...under, ...over])
  return {
    get: (name) => over.get(name) ?? under.get(name),
    has: (name) => over.has(name) || under.has(name),
    get size() {
      return all().size
    },
    keys: () => all().keys(),
    values: () => all().values(),
    entries: () => all().entries(),
    forEach: (tell) => all().forEach(tell),
    [Symbol.iterator]: () => all().entries(),
  }
}

const isSame = (a: ClusterObject, b: ClusterObject): boolean =>
  a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion

/** `changed` is called with the service that something new was seen of; '' stands for objects without a service. */
export const clusterState = (changed: (service: string) => void = () => {}): ClusterState => {
  const shared: Objects = new Map()
  const byService = new Map<string, Objects>([['', shared]])
  const owners = new Map<string, string>()
  const events = new Map<string, Map<string, ClusterObject>>()
  const listed = new Set<string>()

  const seeEvent = (event: ClusterObject): void => {
    const uid = involved(event)
    const known = events.get(uid) ?? new Map<string, ClusterObject>()
    known.delete(event.metadata.name)
    known.set(event.metadata.name, event)
    for (const name of known.keys()) {
      if (known.size <= MOST_EVENTS) break
      known.delete(name)
    }
    events.set(uid, known)
    const service = owners.get(uid)
    if (service !== undefined) changed(service)
  }

  const drop = ({ kind, metadata: { name, uid } }: ClusterObject): void => {
    const service = owners.get(uid)
    const known = service === undefined ? undefined : byService.get(service)?.get(kind)
    if (service === undefined || known?.get(name)?.metadata.uid !== uid) return
    known.delete(name)
    owners.delete(uid)
    changed(service)
  }

  const see = (object: ClusterObject): void => {
    if (object.kind === 'Event') return seeEvent(object)
    const service = labelOf(object, SERVICE_LABEL) ?? ''
    const objects = byService.get(service) ?? new Map()
    const before = objects.get(object.kind)?.get(object.metadata.name)
    // A watch lags behind responses to writes: it may still report the predecessor of an object just recreated.
    if (before !== undefined && (isSame(object, before) || isOlder(object, before))) return
    if (before === undefined) drop(object)
    else if (before.metadata.uid !== object.metadata.uid) forget(before)
    byService.set(service, objects)
    put(objects, object.kind, object.metadata.name, object)
    owners.set(object.metadata.uid, service)
    changed(service)
  }

  const forget = (object: ClusterObject): void => {
    if (object.kind === 'Event') {
      events.get(involved(object))?.delete(object.metadata.name)
      return
    }
    drop(object)
    events.delete(object.metadata.uid)
  }

  const eventsAbout = (objects: Objects): ReadonlyMap<string, ClusterObject> => {
    const own = [...objects.values()].flatMap((known) => [...known.values()])
    const claims = own.flatMap((object) => (object.kind === 'Pod' ? claimsOf(object) : []))
    const mounted = claims.flatMap((name) => shared.get('PersistentVolumeClaim')?.get(name) ?? [])
    return new Map([...own, ...mounted].flatMap(({ metadata: { uid } }) => [...(events.get(uid) ?? [])]))
  }

  const of = (service: string): Observed => {
    const own: Objects = byService.get(service) ?? new Map()
    const observed = new Map<string, ReadonlyMap<string, ClusterObject>>(shared)
    for (const [kind, known] of service === '' ? [] : own) {
      const under = shared.get(kind)
      observed.set(kind, under === undefined ? known : layered(known, under))
    }
    return observed.set('Event', eventsAbout(own))
  }

  const latest = (object: ClusterObject): ClusterObject | undefined => {
    const { kind, metadata } = object
    const known = byService
      .get(labelOf(object, SERVICE_LABEL) ?? '')
      ?.get(kind)
      ?.get(metadata.name)
    if (known === undefined) return listed.has(kind) ? undefined : object
    return isOlder(known, object) ? object : known
  }

  return {
    see,
    forget,
    latest,
    reset: (kind, objects) => {
      listed.add(kind)
      if (kind === 'Event') events.clear()
      const kept = new Set(objects.map(({ metadata }) => metadata.uid))
      const gone = [...byService.values()].flatMap((known) => [...(known.get(kind)?.values() ?? [])])
      for (const object of gone) if (!kept.has(object.metadata.uid)) forget(object)
      for (const object of objects) see(object)
    },
    of,
  }
}
