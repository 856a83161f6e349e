/** A platform with its pages as the build has made them, a real issuer, and a cluster in memory in which something runs. */
import { randomBytes } from 'node:crypto'
import { readWebFiles } from '../../../src/adapters/api-server/web-files.ts'
import { oidcIdentity } from '../../../src/adapters/login/issuer.ts'
import { jweSealing } from '../../../src/adapters/login/sealing.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { isObject, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { userObject } from '../../../src/domain/platform/account.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../../src/domain/platform/role.ts'
import { serveApi } from '../../../src/server/serve.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'
import { testIssuer } from './issuer.ts'
import { shopObjects } from './shop.ts'
import { settings } from './world.ts'

const made = (name: string, owner: string): JsonObject => {
  const { metadata, ...rest } = namespaceObject(name, 'namespace', owner)
  const labels = isObject(metadata) ? metadata['labels'] : undefined
  return { ...rest, metadata: { name, ...(labels !== undefined && { labels }) } }
}

/** `people`: who has logged in before, beside `root`, who administers the platform. */
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
    ...bound('shop', 'root', 'owner'),
    ...bound('shop', 'ann', 'member'),
    ...bound('shop', 'carla.with-a-rather-long-name', 'viewer'),
    ...bound('blog-of-the-whole-team', 'ann', 'owner'),
    ...bound('blog-of-the-whole-team', 'root', 'viewer'),
    ...bound('empty', 'root', 'owner'),
    ...shopObjects('shop'),
  ]
}

export type PagesPlatform = { readonly url: string; readonly close: () => Promise<void> }

export const pagesPlatform = async (files: string): Promise<PagesPlatform> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirect = `${url}/oidc/callback`
  const issuer = await testIssuer(redirect)
  const admission = { admins: ['root@example.com'], domains: ['example.com'], groups: [] }
  const api = await serveApi({
    cluster: memoryCluster({ objects: objectsFor(issuer.issuer) }),
    clock: systemClock,
    random: { bytes: randomBytes },
    settings: { ...settings, url, admission },
    sealing: jweSealing('key', systemClock),
    identity: (failed) => oidcIdentity({ ...issuer, isInsecure: true, redirect }, failed),
    web: readWebFiles(files),
    ports: { users: port, cluster: 0 },
    write: () => {},
  })
  await until('it is ready', async () => (await fetch(`http://127.0.0.1:${api.clusterPort}/readyz`)).ok)
  return {
    url,
    close: async () => {
      await api.stop(0)
      issuer.close()
    },
  }
}
