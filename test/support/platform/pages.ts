/** A platform with its built pages, a real issuer, and a cluster in memory with running services. */
import { readWebFiles } from '../../../src/adapters/api-server/web-files.ts'
import { oidcIdentity } from '../../../src/adapters/login/issuer.ts'
import { jweSealing } from '../../../src/adapters/login/sealing.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { isObject, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { DELETION_ANNOTATION, STATUS_ANNOTATION } from '../../../src/domain/k8s/labels.ts'
import { userObject } from '../../../src/domain/platform/account.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../../src/domain/platform/role.ts'
import { RUN_CONTAINER, showRunLine } from '../../../src/domain/platform/run/log.ts'
import { recordObject, runLabels } from '../../../src/domain/platform/run/record.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { freePort } from '../process/ports.ts'
import { startApi, untilReady } from './api.ts'
import { testIssuer } from './issuer.ts'
import { previewObject, RUN, recordOf, runOf } from './runs.ts'
import { shopObjects } from './shop.ts'
import { settings } from './world.ts'

const made = (name: string, owner: string): JsonObject => {
  const { metadata, ...rest } = namespaceObject(name, 'namespace', owner)
  const labels = isObject(metadata) ? metadata['labels'] : undefined
  return { ...rest, metadata: { name, ...(labels !== undefined && { labels }) } }
}

/** After a destroy command has failed. */
const notDeleted = ({ metadata, ...rest }: JsonObject, user: string): JsonObject => {
  const since = '2026-11-21T10:00:00Z'
  const reason = 'the destroy commands of web did not succeed: their run ended as failed'
  const deletion = { since, user, email: 'root@example.com', force: false, run: RUN, reason }
  const annotations = { [STATUS_ANNOTATION]: 'DeleteFailed', [DELETION_ANNOTATION]: JSON.stringify(deletion) }
  return { ...rest, metadata: { ...(isObject(metadata) ? metadata : {}), annotations } }
}

/** `people`: users who have logged in before, besides `root`, who administers the platform. */
const objectsFor = (issuer: string): ReadonlyArray<JsonObject> => {
  const people = ['root', 'ann', 'ben', 'carla.with-a-rather-long-name']
  const users = people.map((subject) => {
    const user = { id: userIdOf(issuer, subject), email: `${subject}@example.com` }
    return { subject, ...user, isAdmin: subject === 'root', isDisabled: false }
  })
  const bound = (namespace: string, subject: string, role: NamespaceRole): ReadonlyArray<JsonObject> =>
    users.filter((user) => user.subject === subject).map((user) => bindingObject(namespace, user, role))
  const [root = '', ann = ''] = users.map(({ id }) => id)
  return [
    ...users.map((user) => userObject(user, { issuer, subject: user.subject })),
    made('shop', root),
    made('blog-of-the-whole-team', ann),
    made('empty', root),
    notDeleted(made('not-deleted', root), root),
    ...bound('shop', 'root', 'owner'),
    ...bound('shop', 'ann', 'member'),
    ...bound('shop', 'carla.with-a-rather-long-name', 'viewer'),
    ...bound('blog-of-the-whole-team', 'ann', 'owner'),
    ...bound('blog-of-the-whole-team', 'root', 'viewer'),
    ...bound('empty', 'root', 'owner'),
    ...bound('not-deleted', 'root', 'owner'),
    ...shopObjects('shop'),
    recordOf(failedRun, ...failedLog),
    ...liveObjects,
    previewObject('look-at-this', 'owner', { sourceUrl: 'https://git.example.com/team/web/pulls/7' }),
    ...bound('look-at-this', 'root', 'member'),
  ]
}

const live = runOf({ id: 'a'.repeat(16), status: 'running', started: '2026-11-21T09:00:05Z' })

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

const failedLog = [
  'cloning https://git.example.com/team/web.git',
  '\u001b[1mBuilding\u001b[0m web',
  '\u001b[32mok\u001b[0m api \u001b[2m(cached)\u001b[0m',
  '\u001b[31;1merror\u001b[0m web: the image is not in its registry, and this line is long enough to be wider than any narrow screen',
  'bell \u0007, and \u001b[2K a line that a terminal would wipe, and <b>markup</b>',
]

export type PagesPlatform = {
  readonly url: string
  /** Adds to the log of the run in progress. */
  readonly say: (lines: ReadonlyArray<string>) => void
  /** Ends the run in progress successfully. */
  readonly end: () => void
  readonly close: () => Promise<void>
}

export const pagesPlatform = async (files: string): Promise<PagesPlatform> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirect = `${url}/oidc/callback`
  const issuer = await testIssuer(redirect)
  const admission = { admins: ['root@example.com'], domains: ['example.com'], groups: [] }
  const cluster = memoryCluster({ objects: objectsFor(issuer.issuer) })
  let count = 0
  const api = await startApi({
    cluster,
    settings: { ...settings, url, admission },
    sealing: jweSealing('key', systemClock),
    identity: (failed) => oidcIdentity({ ...issuer, isInsecure: true, redirect }, failed),
    web: readWebFiles(files),
    ports: { users: port, cluster: 0 },
  })
  await untilReady(api)
  return {
    url,
    say: (texts) => {
      const lines = texts.map((text, index) => showRunLine({ n: count + index + 1, at: '2026-11-21T09:00:06Z', text }))
      count += texts.length
      cluster.say(`${live.namespace}/live`, RUN_CONTAINER, lines)
    },
    end: () => {
      cluster.put(recordObject({ ...live, status: 'succeeded', ended: '2026-11-21T09:03:00Z', exitStatus: 0 }))
      cluster.endLogs(`${live.namespace}/live`)
    },
    close: async () => {
      await api.stop(0)
      issuer.close()
    },
  }
}
