/** The JSON Schema of a `devtool.yml`: its own sections, and the Compose sections. */
import { document } from '../compose/fields/document.ts'
import { endpoints } from '../compose/fields/endpoints.ts'
import { composeParts, schemaOf } from '../compose/json-schema.ts'
import { isMap, type Value } from '../print/value.ts'
import type { JsonSchema } from '../shape/shape.ts'
import { commands } from './fields/commands.ts'
import { devResources, forward } from './fields/dev.ts'
import { composeSections, manifestShape } from './fields/document.ts'

const membersOf = ({ properties }: JsonSchema): ReadonlyMap<string, Value> =>
  properties !== undefined && isMap(properties) ? properties : new Map()

/** The manifest's properties, with the Compose sections written out. */
const merged = (): JsonSchema => {
  const compose = membersOf(document.schema)
  const properties = new Map(
    [...membersOf(manifestShape.schema)].map(([key, schema]) => [
      key,
      Object.hasOwn(composeSections, key) ? (compose.get(key) ?? schema) : schema,
    ]),
  )
  return { ...manifestShape.schema, properties }
}

export const manifestSchema = (): { readonly [key: string]: Value } =>
  schemaOf(
    { title: 'Manifest for devtool', description: 'What devtool builds, deploys, develops and destroys.' },
    merged(),
    {
      ...composeParts,
      commands: commands.schema,
      endpoints: endpoints.schema,
      forwards: forward.schema,
      resources: devResources.schema,
    },
  )
