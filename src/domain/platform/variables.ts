/**
 * Variables stored on the platform: those of a namespace, and those for all namespaces. Each set is one Secret with a
 * key for each variable.
 */
import type { JsonObject } from '../cluster/json.ts'
import { textsAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { PREVIEWS_ANNOTATION } from '../k8s/labels.ts'
import { defined, ifDefined } from '../object/defined.ts'
import { decodeBase64, encodeBase64Text } from '../text/base64.ts'
import type { ManagedKind } from './access.ts'

export const VARIABLES_SECRET = 'devtool-variables'

const MOST_VARIABLES = 64
const MOST_BYTES = 512 * 1024
export const MOST_VALUE_BYTES = 32 * 1024

/** `inPreviews`: the names of variables for all namespaces that previews get as well. */
export type StoredVariables = {
  readonly values: ReadonlyMap<string, string>
  readonly inPreviews: ReadonlySet<string>
}
type VariableScope = 'all' | 'namespace'
export type ScopedVariable = { readonly name: string; readonly value: string; readonly scope: VariableScope }

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export const variablesIn = (secret: ClusterObject | undefined): StoredVariables => ({
  values: new Map(
    [...textsAt(secret, 'data')].map(([name, text]) => [name, decoder.decode(decodeBase64(text))] as const),
  ),
  inPreviews: new Set((secret && annotationOf(secret, PREVIEWS_ANNOTATION))?.split(',').filter((name) => name !== '')),
})

/** Why the existing variables and the new one exceed the limits; `undefined` if they do not. */
export const tooManyVariables = ({ values }: StoredVariables, name: string, value: string): Diagnostic | undefined => {
  const all = new Map(values).set(name, value)
  const bytes = [...all.values()].reduce((sum, text) => sum + encoder.encode(text).length, 0)
  if (all.size > MOST_VARIABLES) return error('DT6006', `there are ${MOST_VARIABLES} variables already`)
  return bytes > MOST_BYTES
    ? error('DT6006', `the variables together are larger than ${MOST_BYTES / 1024} KiB`)
    : undefined
}

type Changed = {
  readonly namespace: string
  /** The Secret as it was read; absent when there is none. */
  readonly before: ClusterObject | undefined
  readonly name: string
  /** `undefined` removes the variable. */
  readonly value: string | undefined
  /** All names that previews get; absent for variables of a namespace. */
  readonly inPreviews?: ReadonlyArray<string>
}

/** Creates or changes the Secret, provided that it still has the version that was read. */
export const changedVariables = ({ before, inPreviews, name, namespace, value }: Changed): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: {
    name: VARIABLES_SECRET,
    namespace,
    ...defined({
      resourceVersion: before?.metadata.resourceVersion,
      annotations: ifDefined(inPreviews, (names) => ({ [PREVIEWS_ANNOTATION]: names.join(',') })),
    }),
  },
  data: { [name]: value === undefined ? null : encodeBase64Text(value) },
})

const byName = (a: ScopedVariable, b: ScopedVariable): number => (a.name < b.name ? -1 : 1)

/** The variables of a deploy in a namespace: its own take precedence over those for all. */
export const variablesFor = (
  kind: ManagedKind,
  all: StoredVariables,
  own: StoredVariables,
): ReadonlyArray<ScopedVariable> => {
  const shared = [...all.values].filter(([name]) => kind === 'namespace' || all.inPreviews.has(name))
  const found = new Map<string, ScopedVariable>()
  for (const [name, value] of shared) found.set(name, { name, value, scope: 'all' })
  for (const [name, value] of own.values) found.set(name, { name, value, scope: 'namespace' })
  return [...found.values()].toSorted(byName)
}
