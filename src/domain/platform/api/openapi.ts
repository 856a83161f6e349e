/** The OpenAPI 3.1 document of the API. */
import type { Json, JsonObject } from '../../cluster/json.ts'
import type { Rows } from '../../print/document.ts'
import { isEvents } from './events.ts'
import { Problem } from './problem.ts'
import type { AnyKeys, ApiRoute } from './route.ts'
import { routes } from './routes.ts'
import { schemaOf } from './schema.ts'

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } })

const eventStream: JsonObject = { 'text/event-stream': { schema: { type: 'string' } } }

const isEmpty = ({ optional, required }: AnyKeys): boolean =>
  Object.keys(required).length + Object.keys(optional).length === 0

const parametersIn = (place: 'path' | 'query' | 'header', rows: Rows, isRequired: boolean): ReadonlyArray<Json> =>
  Object.entries(rows).map(([name, [codec, about]]) => ({
    name,
    in: place,
    description: about,
    required: isRequired,
    schema: schemaOf(codec),
  }))

const problem = (description: string): JsonObject => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** The possible errors of the route's requests, as far as the route determines them. */
const problemsOf = ({ body, headers, may, method, params, query }: ApiRoute): JsonObject => ({
  ...(method === 'GET' && [headers, query, params].every(isEmpty) ? {} : { 400: problem('The request is not valid') }),
  ...(may === 'anyone' ? {} : { 401: problem('Not logged in') }),
  ...(may === 'anyone' && isEmpty(body) ? {} : { 403: problem('Not allowed, or no more') }),
  ...(isEmpty(params) ? {} : { 404: problem('There is no such thing, or it is not open to the caller') }),
  ...(method === 'GET' ? {} : { 409: problem('It exists already, or was changed meanwhile') }),
  426: problem('The client is too old'),
  429: problem('Too many requests'),
  500: problem('A defect of the platform'),
  503: problem('Kubernetes cannot be reached'),
})

const contentOf = (answer: AnyKeys): JsonObject => (isEvents(answer) ? eventStream : json(schemaOf(answer)))

const operationOf = (id: string, one: ApiRoute): JsonObject => {
  const { about, answer, body, headers, may, params, query, status } = one
  const parameters = [
    ...parametersIn('path', params.required, true),
    ...parametersIn('query', query.required, true),
    ...parametersIn('query', query.optional, false),
    ...parametersIn('header', headers.required, true),
    ...parametersIn('header', headers.optional, false),
  ]
  return {
    operationId: id,
    summary: about,
    ...(may === 'anyone' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isEmpty(body) ? {} : { requestBody: { required: true, content: json(schemaOf(body)) } }),
    responses: {
      [status]: { description: about, ...(isEmpty(answer) ? {} : { content: contentOf(answer) }) },
      ...problemsOf(one),
    },
  }
}

const paths = (): JsonObject => {
  const all = new Map<string, JsonObject>()
  for (const [id, one] of Object.entries(routes)) {
    const operation = { [one.method.toLowerCase()]: operationOf(id, one) }
    all.set(one.path, { ...all.get(one.path), ...operation })
  }
  return Object.fromEntries(all)
}

export const openApi = (version: string): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'devtool platform', version },
  security: [{ token: [] }],
  paths: paths(),
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token' } },
    schemas: { Problem: schemaOf(Problem) },
  },
})
