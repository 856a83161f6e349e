/** Names and labels of the objects of a development container. */
import type { JsonObject } from '../cluster/json.ts'
import { KIND_LABEL, MIRROR_LABEL } from '../k8s/labels.ts'
import { dnsLabel } from '../text/dns-name.ts'
import { sha256 } from '../text/sha256.ts'

/** Selects the records of all development containers of a namespace. */
export const UP_SELECTOR = `${KIND_LABEL}=up`

/**
 * The name of the record, the Secret, the mirror and its claim, and the value of their label. Law: two workloads of a
 * namespace never have the same.
 */
export const mirrorName = (kind: string, name: string): string => {
  const whole = `devtool-up-${kind.toLowerCase()}-${name}`
  // Names with dots and names that are too long are changed: the hash keeps them distinct.
  return dnsLabel(whole) === whole ? whole : `${dnsLabel(whole.slice(0, 54), 54)}-${sha256(whole).slice(0, 8)}`
}

/** The ConfigMap with the files of the agent. */
export const agentFilesName = (mirror: string): string => `${mirror}-agent`

export const upLabels = (mirror: string): JsonObject => ({ [KIND_LABEL]: 'up', [MIRROR_LABEL]: mirror })

/** Selects the pods of a mirror, and its other objects. */
export const mirrorSelector = (mirror: string): string => `${MIRROR_LABEL}=${mirror}`
