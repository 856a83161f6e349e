/** What the benchmark of a platform fills a cluster with: what the platform, deploys and runs would write. */
import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { at } from '../src/domain/cluster/json.ts'
import { emptyRecord, recordBody } from '../src/domain/environment/record.ts'
import { bindingObject, namespaceObject, templateOf } from '../src/domain/platform/namespace/objects.ts'
import { packLog } from '../src/domain/platform/run/log.ts'
import { recordObject } from '../src/domain/platform/run/record.ts'
import { randomRunId } from '../src/domain/platform/run/request.ts'
import { encodeBase64 } from '../src/domain/text/base64.ts'
import type { putting } from './bench-platform-api.ts'

type Put = ReturnType<typeof putting>
type Owner = { readonly id: string; readonly email: string }

/** The first is the owner, the second a member. */
export const putNamespace = async (put: Put, name: string, [owner, member]: readonly [Owner, Owner]): Promise<void> => {
  const { metadata, ...rest } = namespaceObject(name, 'namespace', owner.id)
  await put('Namespace', { ...rest, metadata: { name, labels: at(metadata, 'labels') ?? {} } })
  for (const { kind, object } of templateOf(name)) await put(kind, object, name)
  await put('RoleBinding', bindingObject(name, owner, 'owner'), name)
  await put('RoleBinding', bindingObject(name, member, 'member'), name)
}

/** That many make a record of about 6 KB. */
const OBJECTS = 140
const LINES = 300
const NOW = '2026-11-21T10:00:00Z'

const environmentRecord = (namespace: string, { email }: Owner) => {
  const inventory = Array.from({ length: OBJECTS }, (_, index) => ({
    ...{ group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' },
    ...{ name: `service-${index}`, uid: randomUUID() },
  }))
  const source = { repository: `git.example.com/${namespace}/shop`, branch: 'main', folder: '' }
  const body = recordBody(namespace, {
    ...emptyRecord('shop'),
    ...{ status: 'deployed', who: email, when: NOW, source, inventory },
  })
  if (E.isLeft(body)) throw new Error(body.left.message)
  return body.right
}

/** Of a run that has ended, with its log. */
const runRecord = (namespace: string, { email, id: user }: Owner) => {
  const id = randomRunId(crypto.getRandomValues(new Uint8Array(8)))
  const lines = Array.from({ length: LINES }, (_, index) => ({
    n: index + 1,
    at: NOW,
    text: `${index} ${randomUUID()}`,
  }))
  const record = recordObject({
    ...{ id, action: 'deploy', status: 'succeeded', environment: 'shop', namespace, who: { user, email } },
    ...{ created: NOW, started: NOW, ended: NOW, timeoutSeconds: 300, volumes: false, variables: [], exitStatus: 0 },
    repository: `https://git.example.com/${namespace}/shop.git`,
  })
  return { ...record, binaryData: { log: encodeBase64(packLog(lines)) } }
}

export const putRecords = async (put: Put, namespace: string, owner: Owner, hasRun: boolean): Promise<void> => {
  await put('ConfigMap', environmentRecord(namespace, owner), namespace)
  if (hasRun) await put('ConfigMap', runRecord(namespace, owner), namespace)
}
