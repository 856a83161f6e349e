/**
 * Validates objects as Kubernetes does, without a cluster: against the schemas of a real API server (1.34), without
 * unknown fields, and against the validation rules that a schema cannot express.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import type { KubeObject } from '../../../src/domain/k8s/types.ts'
import { printJson } from '../../../src/domain/print/json.ts'
import { ruleViolations } from './kubernetes-rules.ts'

type Document = {
  readonly kinds: Readonly<Record<string, string>>
  readonly $defs: Readonly<Record<string, object>>
}

const document: Document = JSON.parse(readFileSync(join(import.meta.dirname, 'kubernetes-1.34.json'), 'utf8'))

/** Quantities are strings with a format; the schema allows any string. */
const quantity = { anyOf: [{ type: 'number' }, { type: 'string', format: 'quantity' }] }

const isInt32 = (n: number): boolean => Number.isInteger(n) && n >= -(2 ** 31) && n < 2 ** 31

const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: true,
  formats: {
    byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    int32: { type: 'number', validate: isInt32 },
    int64: { type: 'number', validate: Number.isSafeInteger },
    quantity: /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?$/,
    'date-time': true,
    'int-or-string': true,
  },
})
ajv.addSchema({ $defs: { ...document.$defs, 'api.resource.Quantity': quantity } }, 'kubernetes')

const validators: ReadonlyMap<string, ValidateFunction> = new Map(
  Object.entries(document.kinds).map(([kind, name]) => [kind, ajv.compile({ $ref: `kubernetes#/$defs/${name}` })]),
)

/** Empty if Kubernetes would accept the object; each message begins with the path of the field. */
export const violations = (object: KubeObject): ReadonlyArray<string> => {
  const kind = `${object.apiVersion} ${object.kind}`
  const validate = validators.get(kind)
  if (validate === undefined) return [`no such kind: ${kind}`]
  if (validate(JSON.parse(printJson(object)))) return ruleViolations(object)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
  )
}
