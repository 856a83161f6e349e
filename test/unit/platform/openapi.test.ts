import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { isEvents } from '../../../src/domain/platform/api/events.ts'
import { openApi } from '../../../src/domain/platform/api/openapi.ts'
import type { ApiRoute } from '../../../src/domain/platform/api/route.ts'
import { routes } from '../../../src/domain/platform/api/routes.ts'
import { schemaOf } from '../../../src/domain/platform/api/schema.ts'
import { putPreview, putRun, RUN } from '../../support/platform/runs.ts'
import { testPlatform } from '../../support/platform/world.ts'

const all: ReadonlyArray<readonly [string, ApiRoute]> = Object.entries(routes)

/** Every schema in the document. */
const schemasIn = (json: Json | undefined): ReadonlyArray<JsonObject> => {
  if (Array.isArray(json)) return json.flatMap(schemasIn)
  if (!isObject(json)) return []
  const { properties, schema } = json
  const own = [schema, ...(isObject(properties) ? Object.values(properties) : [])]
  return [...own.filter(isObject), ...Object.values(json).flatMap(schemasIn)]
}

test('every codec of the routes has a valid JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const found = schemasIn(openApi('1.0.0'))
  assert.ok(found.length > 50)
  for (const schema of found) {
    assert.ok('type' in schema || '$ref' in schema, JSON.stringify(schema))
    if (!('$ref' in schema)) assert.ok(ajv.validateSchema(schema), JSON.stringify(schema))
  }
})

test('every route is in the document under its path and method', () => {
  const document = openApi('1.0.0')
  for (const [id, { method, path, status }] of all) {
    const operation = objectAt(document, 'paths', path, method.toLowerCase())
    assert.is(operation['operationId'], id)
    assert.ok(at(operation, 'responses', String(status)) !== undefined)
  }
})

test('no two routes have the same path and method, and parameters are those of the path', () => {
  assert.is(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size, all.length)
  for (const [, { params, path }] of all) {
    assert.equal(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      Object.keys(params.required),
    )
  }
})

test('responses conform to the document', async () => {
  const platform = testPlatform()
  putPreview(platform)
  putRun(platform)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [id, { answer, may, method, path }] of all) {
    if (method !== 'GET' || isEvents(answer)) continue
    const namespace = path.startsWith('/api/v1/previews/') ? 'look' : 'shop'
    const own = path.replace('{namespace}', namespace).replace('{run}', RUN).replace('{name}', 'web')
    const json: unknown = await (await platform.send('GET', own, { as: may === 'admin' ? 'admin' : 'owner' })).json()
    assert.ok(ajv.validate(schemaOf(answer), json), `${id} ${ajv.errorsText()}`)
  }
})

test.run()
