/** A preview and runs, for the test platform. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { at } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { deletionChange } from '../../../src/domain/platform/namespace/deletion.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { type PreviewFacts, previewMetadata } from '../../../src/domain/platform/preview.ts'
import { packLog } from '../../../src/domain/platform/run/log.ts'
import { type RunRecord, recordObject } from '../../../src/domain/platform/run/record.ts'
import { encodeBase64 } from '../../../src/domain/text/base64.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { emailOf, idOf, type Person, persons, roleOf, type TestPlatform } from './world.ts'

export const RUN = '0123456789abcdef'
export const REPOSITORY = 'https://git.example.com/team/web.git'

/** A run that has deployed the pipeline `web`. */
export const runOf = (more: Partial<RunRecord> = {}): RunRecord => ({
  id: RUN,
  action: 'deploy',
  status: 'succeeded',
  environment: 'web',
  namespace: 'shop',
  who: { user: idOf('owner'), email: emailOf('owner') },
  created: '2026-11-21T09:00:00Z',
  timeoutSeconds: 300,
  volumes: false,
  variables: [],
  repository: REPOSITORY,
  exitStatus: 0,
  ...more,
})

export const linesOf = (...texts: ReadonlyArray<string>) =>
  texts.map((text, index) => ({ n: index + 1, at: '2026-11-21T09:00:01Z', text }))

/** `texts`: its log. */
export const recordOf = (run: RunRecord, ...texts: ReadonlyArray<string>): JsonObject => ({
  ...recordObject(run),
  binaryData: { log: encodeBase64(packLog(linesOf(...texts))) },
})

const facts: PreviewFacts = { scope: 'personal', pipeline: 'web', repository: REPOSITORY, branch: 'main' }

export const previewObject = (name: string, owner: Person, more: Partial<PreviewFacts>): JsonObject => {
  const { metadata, ...rest } = namespaceObject(name, 'preview', idOf(owner))
  const { annotations, labels } = previewMetadata({ ...facts, ...more })
  const [own, described] = [at(metadata, 'labels'), labels]
  return {
    ...rest,
    metadata: { name, labels: Object.assign({}, own, described), annotations: withoutNull(annotations) },
  }
}

const withoutNull = (json: unknown): JsonObject => JSON.parse(JSON.stringify(json), (_, value) => value ?? undefined)

/** The preview `look`, in which everybody has the same role as in `shop`. */
export const putPreview = ({ cluster }: TestPlatform, more: Partial<PreviewFacts> = {}, name = 'look'): void => {
  cluster.put(previewObject(name, 'owner', more))
  for (const person of persons) {
    const role = roleOf(person)
    if (role !== undefined) cluster.put(bindingObject(name, { id: idOf(person), email: emailOf(person) }, role))
  }
}

/** As the controller does when a destroy run has failed. */
export const failDeletion = async ({ cluster }: TestPlatform): Promise<void> => {
  const key = { resource: resources.Namespace, name: 'look' }
  const live = await done(cluster.get(key))
  if (live === undefined) throw new Error('there is no preview')
  const deletion = { since: '2026-11-21T09:30:00Z', user: 'u-1', email: '', force: false }
  const failed = { ...deletion, run: RUN, reason: 'the destroy commands of web did not succeed' }
  await done(cluster.merge(key, deletionChange(live, 'DeleteFailed', failed), { manager }))
}

export const putRun = ({ cluster }: TestPlatform, run: RunRecord = runOf(), ...texts: ReadonlyArray<string>): void => {
  cluster.put(recordOf(run, ...texts))
}
