/** The platform: permissions, logins, and which input the API trusts. */
import { type Mutant, mutantsOf } from './mutant.ts'

const asked = ['unit/platform/api', 'unit/platform/isolation', 'unit/platform/limits']
const users = ['unit/platform/users', 'unit/platform/access']
const served = ['unit/platform/sessions', 'unit/platform/api', 'unit/platform/web', 'unit/platform/login']

export const platform: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/platform/scope.ts', asked, [
    ['return isRead', 'return true'],
    ['return namespace === scope.namespace\n', 'return namespace === undefined || namespace === scope.namespace\n'],
  ]),
  ...mutantsOf(
    'domain/platform/rate.ts',
    ['unit/platform/api'],
    [
      ['Math.min(burst, left', 'Math.max(burst, left'],
      ['left: isAllowed ? left - 1 : left', 'left'],
    ],
  ),
  ...mutantsOf('app/platform/answer.ts', asked, [
    ["isRead: method === 'GET', namespace", 'isRead: true, namespace'],
    ['return user.isAdmin ? E.right({})', "return user.id !== '' ? E.right({})"],
    ['includesRole(granted.role, may)', "includesRole('owner', may)"],
    ["granted === undefined || method === 'GET'", "granted === undefined || method !== ''"],
    ['found?.metadata.uid === binding.uid', 'found !== undefined'],
    ['if (!isFromAddress(clientNetwork(address)))', "if (address === 'nobody')"],
    ['isFromUser(caller.user.id) ?', "caller.user.id !== '' ?"],
  ]),
  ...mutantsOf(
    'app/platform/streaming.ts',
    ['unit/platform/streams', 'unit/platform/runs', 'unit/platform/api'],
    [
      ['const CHECK_MS = 15_000', 'const CHECK_MS = 1_500_000'],
      ['if (!(await isAllowed())) refused.abort()', 'await isAllowed()'],
    ],
  ),
  ...mutantsOf(
    'app/platform/caller.ts',
    ['unit/platform/api', 'unit/platform/isolation', 'unit/platform/sessions'],
    [
      ['!isSameHash(token.hash, hashOf(given))', 'token.hash.length === 0'],
      ['isExpired(token, clock.date())', "token.name === ''"],
      ['found === undefined || !isOfNow(found, token)', 'found === undefined'],
      ['user === undefined || !isOfNow(user, session)', 'user === undefined'],
    ],
  ),
  ...mutantsOf('app/platform/users.ts', users, [
    ['user.id === id ?', "user.id === '' ?"],
    ['isLess && isActiveAdmin(userIn(target))', 'isLess && !isActiveAdmin(userIn(target))'],
    ['isAdmin && !isDisabled', 'isAdmin'],
    ['revokeAccount(world, account, { isDisabled: true })', 'revokeAccount(world, account)'],
    ["role === 'owner' &&\n          !grants", "role === 'viewer' &&\n          !grants"],
  ]),
  ...mutantsOf(
    'domain/platform/login/loopback.ts',
    ['cli/platform-login', 'unit/platform/login'],
    [["answer.get('state') !== state", "answer.get('state') === ''"]],
  ),
  ...mutantsOf(
    'domain/context/store.ts',
    ['cli/platform-login', 'unit/context/store', 'unit/platform/client'],
    [['(?::\\d+)?(?:\\/|$)/i', '/i']],
  ),
  ...mutantsOf(
    'domain/platform/run/clone.ts',
    ['unit/platform/runs'],
    [
      ["['http.followRedirects', 'false']", "['http.followRedirects', 'true']"],
      ["['core.hooksPath', '/dev/null']", "['core.hooksPath', '/hooks']"],
      ['`http.${repository}.extraHeader`', "'http.extraHeader'"],
      ["GIT_CONFIG_GLOBAL: '/dev/null',", ''],
    ],
  ),
  ...mutantsOf('adapters/api-server/app.ts', served, [
    ["req.header('origin') !== world.url", "req.header('origin') === undefined"],
    ["session !== undefined && req.method !== 'GET'", "session !== undefined && req.method === 'GET'"],
    ['const BODY_BYTES = 64 * 1024', 'const BODY_BYTES = 64 * 1024 * 1024'],
    ["'x-content-type-options': 'nosniff'", ''],
  ]),
  ...mutantsOf('adapters/api-server/pages.ts', served, [
    ["call.req.header('x-devtool') === '1' ?", "call.req.method !== '' ?"],
    ['HttpOnly; SameSite=Lax', 'SameSite=Lax'],
    ["'__Host-'", "''"],
  ]),
  ...mutantsOf(
    'adapters/api-server/address.ts',
    ['unit/platform/settings', 'unit/platform/limits', 'unit/platform/serve'],
    [
      ['if (!isTrusted(client)) return client', "if (client === '') return client"],
      ['hops.slice(-1), isPrivate', 'hops, isPrivate'],
      ['if (hop === undefined) return client', 'if (hop === undefined) continue'],
    ],
  ),
]
