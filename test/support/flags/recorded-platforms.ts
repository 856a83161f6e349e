/** A platform for command lines: the real API in memory, whose requests are recorded. */
import { STATUS_ANNOTATION } from '../../../src/domain/k8s/labels.ts'
import type { Platforms } from '../../../src/ports/platforms.ts'
import { memoryPlatforms } from '../../memory/platforms.ts'
import { putPreview, putRun, runOf } from '../platform/runs.ts'
import { type TestPlatform, testPlatform, tokenOf } from '../platform/world.ts'

const url = 'https://p.test'

/** Deleted soon after the request. */
const going: ReadonlySet<string> = new Set(['going', 'shop-new'])

/** With a run of the pipeline `shop`, and two previews: `look` is kept when it is destroyed. */
export const filledPlatform = (): TestPlatform => {
  const platform = testPlatform()
  const { cluster } = platform
  putRun(platform, runOf({ environment: 'shop' }), 'deployed')
  for (const name of ['look', 'going']) putPreview(platform, {}, name)
  cluster.onChange(({ object: { metadata } }) => {
    const isGoing = going.has(metadata.name) && metadata.annotations?.[STATUS_ANNOTATION] === 'Deleting'
    if (isGoing) setImmediate(() => cluster.take('Namespace', metadata.name))
  })
  return platform
}

/** A namespace that is requested is never deleted. */
export const recordedPlatforms = (log: Array<unknown>): Platforms => {
  // Made at the first request, since most command lines send none.
  let platform: TestPlatform | undefined
  const answer: TestPlatform['send'] = (...request) => {
    platform ??= filledPlatform()
    return platform.send(...request)
  }
  const agreed = async (page: URL) =>
    new Map([
      ['state', page.searchParams.get('state') ?? ''],
      ['code', 'code'],
    ])
  const real = memoryPlatforms({ url, send: answer, returns: agreed })
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
    follow: (login, id, input, signal) => {
      log.push(['follow', login.url, id, input])
      return real.follow(login, id, input, signal)
    },
    send: (login, id, input, signal) => {
      log.push(['send', login.url, id, input])
      if (id === 'exchangeCode') return canned(201, created).send(login, id, input, signal)
      if (id === 'getNamespace' && JSON.stringify(input).includes('"shop"'))
        return canned(200, kept).send(login, id, input, signal)
      return real.send(login, id, input, signal)
    },
  }
}
