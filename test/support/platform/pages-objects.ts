/** What is on the platform whose pages are tested: something in every state, an empty list and a full one. */
import * as E from 'fp-ts/lib/Either.js'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { machineOf, silent } from '../../../src/app/environment/server.ts'
import { stopWorkloads } from '../../../src/app/sleep/sleep.ts'
import { isObject, type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { DELETION_ANNOTATION, LAST_RUN_ANNOTATION, STATUS_ANNOTATION } from '../../../src/domain/k8s/labels.ts'
import { tokenObject, userObject } from '../../../src/domain/platform/account.ts'
import { SYSTEM_NAMESPACE, userIdOf } from '../../../src/domain/platform/names.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import type { PreviewFacts } from '../../../src/domain/platform/preview.ts'
import type { NamespaceRole } from '../../../src/domain/platform/role.ts'
import { RUN_CONTAINER } from '../../../src/domain/platform/run/log.ts'
import { recordObject, runLabels } from '../../../src/domain/platform/run/record.ts'
import { TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { previewObject, RUN, recordOf, runOf } from './runs.ts'
import { shopObjects, workload } from './shop.ts'

const withMetadata = ({ metadata, ...rest }: JsonObject, more: JsonObject): JsonObject => ({
  ...rest,
  metadata: { ...(isObject(metadata) ? metadata : {}), ...more },
})

const made = (name: string, owner: string): JsonObject =>
  withMetadata(namespaceObject(name, 'namespace', owner), { annotations: {} })

/** After a destroy command has failed. */
const notDeleted = (user: string): JsonObject => {
  const since = '2026-11-21T10:00:00Z'
  const reason = 'the destroy commands of web did not succeed: their run ended as failed'
  const deletion = { since, user, email: 'root@example.com', force: false, run: RUN, reason }
  return withMetadata(made('not-deleted', user), {
    annotations: { [STATUS_ANNOTATION]: 'DeleteFailed', [DELETION_ANNOTATION]: JSON.stringify(deletion) },
  })
}

const SLEEPY = ['web', 'db']

/** As who presses the button for it. */
export const putToSleep = async (cluster: Cluster): Promise<void> => {
  const ports = { clock: systemClock, machine: machineOf('test'), progress: silent }
  const world = { ports, target: { cluster, namespace: 'asleep' }, signal: new AbortController().signal }
  const slept = await stopWorkloads(world, 'root@example.com')()
  if (E.isLeft(slept)) throw new Error(JSON.stringify(slept.left))
}

export const live = runOf({ id: 'a'.repeat(16), status: 'running', started: '2026-11-21T09:00:05Z' })

/** A run in progress, in its pod. */
const liveObjects: ReadonlyArray<JsonObject> = [
  recordObject(live),
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'live', namespace: live.namespace, labels: runLabels(live) },
    status: { phase: 'Running', containerStatuses: [{ name: RUN_CONTAINER, state: { running: {} } }] },
  },
]

const failedRun = runOf({
  ...{ status: 'failed', branch: 'main', commit: 'c0ffee'.repeat(6), exitStatus: 1 },
  ...{ started: '2026-11-21T09:00:05Z', ended: '2026-11-21T09:02:00Z' },
  failure: { severity: 'error', code: 'DT3201', message: 'web: the image is not in its registry', help: 'push it' },
})

const previewRun = runOf({
  ...{ id: 'b'.repeat(16), namespace: 'look-at-this' },
  ...{ started: '2026-11-21T09:00:05Z', ended: '2026-11-21T09:02:00Z' },
})

const failedLog = [
  'cloning https://git.example.com/team/web.git',
  '\u001b[1mBuilding\u001b[0m web',
  '\u001b[32mok\u001b[0m api \u001b[2m(cached)\u001b[0m',
  '\u001b[31;1merror\u001b[0m web: the image is not in its registry, and this line is long enough to be wider than any narrow screen',
  'bell \u0007, and \u001b[2K a line that a terminal would wipe, and <b>markup</b>',
]

const deployed = (preview: JsonObject): JsonObject =>
  withMetadata(preview, {
    annotations: {
      ...objectAt(preview, 'metadata', 'annotations'),
      [LAST_RUN_ANNOTATION]: `${previewRun.id} succeeded`,
    },
  })

export const LONG_PREVIEW = 'feature-checkout-with-a-very-long-name-of-a-branch-4f2a91c7'

const previews: ReadonlyArray<readonly [name: string, more: Partial<PreviewFacts>]> = [
  ['look-at-this', { sourceUrl: 'https://git.example.com/team/web/pulls/7' }],
  ['main-of-the-shop', { scope: 'global', repository: 'https://git.example.com/team/shop.git' }],
  [LONG_PREVIEW, { branch: 'feature/checkout-with-a-very-long-name', expires: '2026-12-04T10:00:00Z' }],
]

/** How many namespaces `ann` has: more than a page lists. */
const MANY = 120

/**
 * `root` administers the platform, and has something in every state; `ann` has a full list; `ben` and others have
 * nothing yet.
 */
export const pagesObjects = (issuer: string): ReadonlyArray<JsonObject> => {
  const people = ['root', 'ann', 'ben', 'carla.with-a-rather-long-name']
  const users = people.map((subject) => {
    const user = { id: userIdOf(issuer, subject), email: `${subject}@example.com` }
    return { subject, ...user, isAdmin: subject === 'root', isDisabled: false }
  })
  const bound = (namespace: string, subject: string, role: NamespaceRole): ReadonlyArray<JsonObject> =>
    users.filter((user) => user.subject === subject).map((user) => bindingObject(namespace, user, role))
  const [root = '', ann = ''] = users.map(({ id }) => id)
  const many = Array.from({ length: MANY }, (_, at) => `customer-${String(at + 1).padStart(3, '0')}`)
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM_NAMESPACE } },
    ...users.map((user) => userObject(user, { issuer, subject: user.subject })),
    ...['shop', 'empty', 'asleep'].map((name) => made(name, root)),
    ...['blog-of-the-whole-team', ...many].map((name) => made(name, ann)),
    notDeleted(root),
    ...['shop', 'empty', 'asleep', 'not-deleted'].flatMap((name) => bound(name, 'root', 'owner')),
    ...bound('shop', 'ann', 'member'),
    ...bound('shop', 'carla.with-a-rather-long-name', 'viewer'),
    ...['blog-of-the-whole-team', ...many].flatMap((name) => bound(name, 'ann', 'owner')),
    ...bound('blog-of-the-whole-team', 'root', 'viewer'),
    ...shopObjects('shop'),
    ...SLEEPY.flatMap((service) => workload('asleep', service, `registry.example.com/shop/${service}:7`, {})),
    recordOf(failedRun, ...failedLog),
    recordObject(previewRun),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'devtool-variables', namespace: 'shop' },
      data: { COLOR: encodeBase64Text('red'), NAME_OF_A_DATABASE_WITH_A_LONG_NAME: encodeBase64Text('shop') },
    },
    tokenObject(tokenFrom(new Uint8Array(TOKEN_BYTES)), {
      ...{ user: ann, name: 'CI of the shop', expires: '2027-01-01T00:00:00Z' },
      scope: { _tag: 'Namespace', namespace: 'blog-of-the-whole-team' },
    }),
    ...liveObjects,
    ...previews.map(([name, more]) => deployed(previewObject(name, 'owner', more))),
    ...previews.flatMap(([name]) => bound(name, 'root', 'member')),
  ]
}
