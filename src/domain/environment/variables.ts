/**
 * The variables an environment was deployed with and those its commands exported. They are kept in a Secret beside the
 * record, for destroy and for environments that depend on this one.
 */
import * as t from 'io-ts'
import type { JsonObject } from '../cluster/json.ts'
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { ownLabels } from '../k8s/labels.ts'
import { fromJson } from '../object/codecs.ts'
import { decodeBase64, encodeBase64Text } from '../text/base64.ts'
import { recordName } from './record.ts'

const Pairs = t.readonlyArray(t.tuple([t.string, t.string]))
const Kept = t.strict({ given: Pairs, exported: Pairs })

/** `given` with --var; `exported` by commands through $DEVTOOL_ENV. */
export type KeptVariables = {
  readonly given: ReadonlyMap<string, string>
  readonly exported: ReadonlyMap<string, string>
}

const noVariables: KeptVariables = { given: new Map(), exported: new Map() }

export const variablesBody = (namespace: string, environment: string, kept: KeptVariables): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: recordName(environment),
    namespace,
    labels: ownLabels(environment, 'variables'),
  },
  type: 'Opaque',
  data: { variables: encodeBase64Text(JSON.stringify({ given: [...kept.given], exported: [...kept.exported] })) },
})

/** Law: reads back what {@link variablesBody} wrote; anything else counts as empty. */
export const readVariables = (secret: ClusterObject | undefined): KeptVariables => {
  const bytes = decodeBase64(textAt(secret, 'data', 'variables') ?? '')
  const kept = fromJson(Kept, new TextDecoder().decode(bytes))
  return kept === undefined ? noVariables : { given: new Map(kept.given), exported: new Map(kept.exported) }
}
