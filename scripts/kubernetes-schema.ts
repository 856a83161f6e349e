/**
 * Writes test/support/kube/kubernetes-1.34.json: JSON Schemas of the kinds that devtool prints, from the OpenAPI
 * documents of a real API server. `KUBECONFIG=… node --import tsx scripts/kubernetes-schema.ts`; the version in the
 * file's name is the server's. Parts for readers only (descriptions, defaults, x-kubernetes-*), fields that a server
 * writes (status, managedFields) and unused definitions are left out; an object accepts only the documented keys.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../test/support/kube/api-server.ts'
import { root } from './command.ts'

type Schema = { readonly [key: string]: unknown }

const kinds: Readonly<Record<string, ReadonlyArray<string>>> = {
  'api/v1': ['Service', 'PersistentVolumeClaim', 'ConfigMap', 'Secret'],
  'apis/apps/v1': ['Deployment', 'StatefulSet', 'DaemonSet'],
  'apis/batch/v1': ['Job'],
  'apis/networking.k8s.io/v1': ['Ingress'],
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shortName = (name: string): string => name.replace(/^io\.k8s\.(?:api|apimachinery\.pkg)\./, '')
const refName = (ref: string): string => shortName(ref.slice('#/components/schemas/'.length))

/** `allOf: [{$ref}]` only adds a description to a reference. */
const unwrapped = (schema: Schema): Schema => {
  const { allOf } = schema
  return Array.isArray(allOf) && allOf.length === 1 && isSchema(allOf[0]) ? allOf[0] : schema
}

const members = (value: unknown, dropped: ReadonlyArray<string>): Schema =>
  Object.fromEntries(
    Object.entries(isSchema(value) ? value : {})
      .filter(([name]) => !dropped.includes(name))
      .map(([name, member]) => [name, lean(isSchema(member) ? member : {}, [])]),
  )

const lean = (written: Schema, dropped: ReadonlyArray<string>): Schema => {
  const {
    $ref,
    type,
    format,
    properties,
    additionalProperties,
    items,
    required,
    oneOf,
    enum: values,
  } = unwrapped(written)
  if (typeof $ref === 'string') return { $ref: `#/$defs/${refName($ref)}` }
  const kept = { type, format, oneOf, required, enum: values }
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    ...(properties === undefined ? {} : { properties: members(properties, dropped), additionalProperties: false }),
    ...(isSchema(additionalProperties) ? { additionalProperties: lean(additionalProperties, []) } : {}),
    ...(isSchema(items) ? { items: lean(items, []) } : {}),
  }
}

const refsIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(refsIn)
  if (!isSchema(schema)) return []
  const { $ref } = schema
  return [
    ...(typeof $ref === 'string' ? [$ref.slice('#/$defs/'.length)] : []),
    ...Object.values(schema).flatMap(refsIn),
  ]
}

type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string }

const isKind = (value: unknown): value is GroupVersionKind =>
  isSchema(value) && ['group', 'version', 'kind'].every((key) => typeof value[key] === 'string')

const kindOf = (schema: Schema): GroupVersionKind | undefined => {
  const kindsOf = schema['x-kubernetes-group-version-kind']
  return Array.isArray(kindsOf) ? kindsOf.find(isKind) : undefined
}

const server = await connect(process.env['KUBECONFIG'])
const get = async (path: string) => JSON.parse((await server.send({ method: 'GET', path })).body)

const all = new Map<string, Schema>()
const roots: Array<[string, string]> = []
for (const [path, names] of Object.entries(kinds)) {
  const { components } = await get(`/openapi/v3/${path}`)
  for (const [name, schema] of Object.entries<Schema>(components.schemas)) {
    const dropped =
      isSchema(schema['properties']) && 'metadata' in schema['properties'] ? ['status'] : ['managedFields']
    all.set(shortName(name), lean(schema, dropped))
    const own = kindOf(schema)
    const version = own === undefined ? '' : [own.group, own.version].filter((part) => part !== '').join('/')
    if (own !== undefined && names.includes(own.kind) && path.endsWith(version)) {
      roots.push([`${version} ${own.kind}`, shortName(name)])
    }
  }
}
const { major, minor } = await get('/version')
server.close()

const reached = new Set(roots.map(([, name]) => name))
for (const name of reached) for (const ref of refsIn(all.get(name))) reached.add(ref)
const lines = [...reached].toSorted().map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(all.get(name))}`)
const file = `kubernetes-${major}.${minor}.json`
const text = `{\n  "kinds": ${JSON.stringify(Object.fromEntries(roots))},\n  "$defs": {\n${lines.join(',\n')}\n  }\n}\n`
writeFileSync(join(root, 'test/support', file), text)
process.stdout.write(
  `test/support/${file}: ${roots.length} kinds, ${reached.size} schemas, ${text.length} characters\n`,
)
