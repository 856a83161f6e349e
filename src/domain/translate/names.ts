/** Object names that differ from the label of the Compose name. */

import type { ComposeService } from '../compose/model.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { warning } from '../diagnostic/diagnostic.ts'
import { dnsLabel } from '../text/dns-name.ts'
import { sha256 } from '../text/sha256.ts'

/**
 * The controller puts `<name>-<10 digits>` into a label of each pod; with a longer name it could never create a pod.
 */
const LONGEST_STATEFUL_SET = 52

const isCut = ({ kind, object }: ComposeService): boolean =>
  kind._tag === 'StatefulSet' && object.length > LONGEST_STATEFUL_SET

/** The name of a service's workload; its Service is always named after the service. */
export const workloadName = (service: ComposeService): string =>
  isCut(service) ? dnsLabel(service.name, LONGEST_STATEFUL_SET) : service.object

/** DT1103 for a name that had to be cut. */
export const nameFindings = (service: ComposeService): ReadonlyArray<Diagnostic> => {
  if (!isCut(service)) return []
  const message = `the name of a StatefulSet has at most ${LONGEST_STATEFUL_SET} characters: "${workloadName(service)}" is used`
  const help = 'the service is still reached under its own name; a shorter name avoids the change'
  return [warning('DT1103', message, { at: service.at, path: service.path, help })]
}

/** `label` if it is free, otherwise cut and followed by a hash of `key`. The result is marked as taken. */
export const uniqueLabel = (taken: Set<string>, label: string, key: string): string => {
  let free = label
  for (let salt = key; taken.has(free); salt += '+') {
    free = `${label.slice(0, 54).replace(/-$/, '')}-${sha256(salt).slice(0, 8)}`
  }
  taken.add(free)
  return free
}

/** The Service that an Ingress routes to: always one that only has ready pods. */
export const ingressBackend = ({ checksItself, object }: ComposeService): string =>
  checksItself === undefined ? object : dnsLabel(`${object}-ready`)
