/** docs/api.md: the API of the platform, generated from the table of routes. */
import { platformCodes } from '../src/domain/diagnostic/codes-platform.ts'
import { isEvents } from '../src/domain/platform/api/events.ts'
import { httpStatuses } from '../src/domain/platform/api/problem.ts'
import type { ApiRoute, Audience } from '../src/domain/platform/api/route.ts'
import { routes } from '../src/domain/platform/api/routes.ts'
import { rowsOf, type TableOf } from './json-reference.ts'

const callers: Readonly<Record<Audience, string>> = {
  anyone: 'anyone, without a token',
  holder: 'whoever has a token, whatever its scope',
  user: 'every user',
  admin: 'administrators of the platform',
  viewer: 'viewers, members and owners of the namespace',
  member: 'members and owners of the namespace',
  owner: 'owners of the namespace',
}

const intro = `The platform answers under its own address. [openapi.json](openapi.json) describes the same routes as OpenAPI 3.1.

- Requests carry an API token: \`Authorization: Bearer dvt_...\`. A token of the scope \`read\` may only send \`GET\`; one of the scope
  \`namespace:NAME\` may only send requests about that namespace. Both may ask for Kubernetes tokens, which have no more permissions either.
- A terminal gets a token by a login. On the machine of the browser it opens \`/login/authorize\` with \`name\`, \`challenge\` (PKCE, S256), \`state\` and
  \`redirect\` (\`http://127.0.0.1:PORT/callback\`), where the browser brings \`code\` and \`state\`, or \`error\`. Elsewhere the user opens \`/login/device\`.
- Bodies are JSON of at most 64 KiB; members that are not listed here are ignored.
- A list with \`next\` has more: send the same request with \`continue\` set to it.
- Objects to which the caller has no access get the same answer as missing ones.
- Each answer has an \`x-request-id\`, by which an administrator finds the request in the log.
- A user may send 20 requests a second, and 60 at once; then the answer is 429 with \`retry-after\`.
- Failures are \`application/problem+json\`: \`title\` says what is wrong, \`detail\` what to do, \`code\` is one of those below.
`

const partOf = (tableOf: TableOf, title: string, codec: ApiRoute['answer']): ReadonlyArray<string> => {
  const rows = rowsOf('', codec).map(([path, form, text]) => [`\`${path}\``, form, text])
  return rows.length === 0 ? [] : [`${title}\n\n${tableOf(['key', 'form', 'meaning'], rows)}\n`]
}

const sectionOf = (
  tableOf: TableOf,
  { about, answer, body, headers, may, method, params, path, query, status }: ApiRoute,
): string =>
  [
    `## \`${method} ${path}\`\n\n${about}. For ${callers[may]}. Answers ${status}.\n`,
    ...partOf(tableOf, 'In the path:', params),
    ...partOf(tableOf, 'In the query:', query),
    ...partOf(tableOf, 'Headers:', headers),
    ...partOf(tableOf, 'Body:', body),
    ...partOf(tableOf, isEvents(answer) ? 'Events:' : 'Answer:', answer),
  ].join('\n')

export const apiPage = (made: string, tableOf: TableOf): string => {
  const codes = Object.entries(platformCodes).map(([code, { title }]) => {
    const status = new Map(Object.entries(httpStatuses)).get(code)
    return [`[${code}](errors.md#${code.toLowerCase()}-${title.replaceAll(' ', '-')})`, String(status), title]
  })
  return [
    `# API of the platform\n\n${made}\n\n${intro}`,
    `${tableOf(['code', 'status', 'meaning'], codes)}\n`,
    ...Object.values(routes).map((route) => sectionOf(tableOf, route)),
  ].join('\n')
}
