/** A platform for command lines: the real API in memory, whose requests are recorded. */
import type { Platforms } from '../../../src/ports/platforms.ts'
import { memoryPlatforms } from '../../memory/platforms.ts'
import { testPlatform, tokenOf } from '../platform/world.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'

const url = 'https://p.test'

/** A namespace that is asked for never goes away. */
export const recordedPlatforms = (log: Array<unknown>): Platforms => {
  const { send } = testPlatform()
  const agreed = async (page: URL) =>
    new Map([
      ['state', page.searchParams.get('state') ?? ''],
      ['code', 'code'],
    ])
  const real = memoryPlatforms({ url, send: (method, path, more) => send(method, path, more), returns: agreed })
  const kept = {
    name: 'shop',
    kind: 'namespace',
    status: 'Deleting',
    role: 'owner',
    owner: `u-${'0'.repeat(32)}`,
    created: '2026-11-21T10:00:00Z',
  }
  const created = {
    id: 'a'.repeat(12),
    name: 'here',
    scope: 'all',
    created: kept.created,
    expires: kept.created,
    token: tokenOf('owner'),
  }
  const canned = (status: number, body: object): Platforms =>
    memoryPlatforms({ url, send: async () => Response.json(body, { status }) })
  return {
    ...real,
    send: (login, id, input, signal) => {
      log.push(['send', login.url, id, input])
      if (id === 'exchangeCode') return canned(201, created).send(login, id, input, signal)
      if (id === 'getNamespace' && JSON.stringify(input).includes('"shop"'))
        return canned(200, kept).send(login, id, input, signal)
      return real.send(login, id, input, signal)
    },
  }
}

const contexts = { [url]: { token: tokenOf('admin'), namespace: 'shop' } }
const home = { 'context/config.json': JSON.stringify({ current: url, contexts }) }
const ofOwner = {
  'context/config.json': JSON.stringify({
    current: url,
    contexts: { [url]: { token: tokenOf('owner'), namespace: 'shop' } },
  }),
}
const reach: Effects = { '--context': adds('--context', 'other'), '--kubeconfig': adds('--kubeconfig', 'mine.yaml') }
const inNamespace: Effects = { ...reach, '--namespace': adds('-n', 'prod') }

export const platformEffects: Readonly<Record<string, Effects>> = {
  kubetoken: behind({ '--context': adds('--context', 'other') }, [], { home: ofOwner }),
  login: behind(loglevel, [url], { home: ofOwner, isAttended: true }),
  logout: behind(loglevel, [], { home: ofOwner }),
  'namespace create': behind({ ...reach, ...loglevel }, ['shop-new'], { home: ofOwner }),
  'namespace delete': behind(
    {
      ...behind({ ...reach, '--timeout': { line: ['--timeout', '4s'], flag: ['--timeout', '2s'] } }, ['shop']),
      ...behind(loglevel, ['shop-new'], { before: [['namespace', 'create', 'shop-new']] }),
    },
    [],
    { home: ofOwner },
  ),
  'namespace list': behind({ ...reach, ...output }, [], { home: ofOwner }),
  'namespace members add': behind(
    { ...inNamespace, ...loglevel, '--role': adds('--role', 'viewer') },
    ['stranger@example.com'],
    { home: ofOwner },
  ),
  'namespace members list': behind({ ...inNamespace, ...output }, [], { home: ofOwner }),
  'namespace members remove': behind({ ...inNamespace, ...loglevel }, ['member@example.com'], { home: ofOwner }),
  'variable list': behind({ ...inNamespace, ...output, '--all': adds('--all') }, [], { home }),
  'variable set': behind(
    { ...inNamespace, ...loglevel, '--all': adds('--all'), '--previews': { line: ['--all'], flag: ['--previews'] } },
    ['TAG', '2'],
    { home: ofOwner },
  ),
  'variable unset': behind({ ...inNamespace, ...loglevel, '--all': adds('--all') }, ['COLOR'], { home: ofOwner }),
}
