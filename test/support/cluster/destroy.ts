/** Destroys environments in a cluster in memory, with a clock that advances by itself. */
import { gzipSync } from 'fflate'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { destroy as destroyEnvironment } from '../../../src/app/destroy/destroy.ts'
import type { Destruction } from '../../../src/app/destroy/request.ts'
import type { Outcome } from '../../../src/cli/outcome.ts'
import { showDestroyed } from '../../../src/cli/view/destroy.ts'
import { viewed } from '../../../src/cli/view/view.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { Resource } from '../../../src/domain/cluster/resources.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { type MemoryProgress, memoryProgress } from '../../memory/progress.ts'
import { memoryPrompt } from '../../memory/prompt.ts'

const NAMESPACE = 'dev'
export const SHOP = { 'dev.devtool/environment': 'shop' }
export const KEEP = { 'dev.devtool/policy': 'keep' }

const versions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  Lease: 'coordination.k8s.io/v1',
}

/** `metadata` is added to the name. Labelled as ours unless it has labels. */
export const object = (kind: string, name: string, metadata: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  apiVersion: versions[kind] ?? 'v1',
  kind,
  metadata: { namespace: NAMESPACE, name, labels: SHOP, ...metadata },
  ...rest,
})

const ownedBy = (kind: string, name: string, uid: string): JsonObject => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true, blockOwnerDeletion: true }],
})

export const podWith = (claim: string): JsonObject => ({
  spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] },
})

export const record = (change: Partial<EnvironmentRecord> = {}, namespace = NAMESPACE): JsonObject => {
  const body = recordBody(namespace, { ...emptyRecord('shop'), status: 'deployed', ...change })
  if (body._tag === 'Left') throw new Error(body.left.message)
  return JSON.parse(
    JSON.stringify(body.right, (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value)),
  )
}

const base64 = (data: Uint8Array | string): string => Buffer.from(data).toString('base64')

/** The content of the Secret of a Helm revision. */
export const releaseData = (name: string, namespace: string, manifest: string): string =>
  base64(base64(gzipSync(new TextEncoder().encode(JSON.stringify({ name, namespace, manifest })))))

/** A revision as Helm stores it. */
export const revision = (release: string, version: number, manifest: string, labels: JsonObject = SHOP): JsonObject => {
  const data = { release: releaseData(release, NAMESPACE, manifest) }
  return object('Secret', `sh.helm.release.v1.${release}.v${version}`, { labels }, { type: 'helm.sh/release.v1', data })
}

export type Run = {
  readonly cluster: MemoryCluster
  readonly progress: MemoryProgress
  readonly destroy: (
    change?: Partial<Destruction>,
    answers?: Readonly<Record<string, string>>,
    form?: 'text' | 'json',
  ) => Promise<Outcome>
  /** Like `Deployment/web`, sorted; without objects that every namespace has. */
  readonly left: () => Promise<ReadonlyArray<string>>
  readonly kinds: ReadonlyArray<Resource>
  /** The questions asked on the terminal. */
  readonly questions: () => ReadonlyArray<string>
}

/** `timeoutMs` by the clock of the run. */
export const withObjects = async (objects: ReadonlyArray<JsonObject>, timeoutMs = 60_000): Promise<Run> => {
  const cluster = memoryCluster({ objects })
  const progress = memoryProgress()
  const questions: Array<string> = []
  const resources = await cluster.resources()()
  const kinds = resources._tag === 'Right' ? resources.right.filter(({ isNamespaced }) => isNamespaced) : []
  return {
    cluster,
    progress,
    kinds,
    questions: () => questions,
    left: async () => {
      const lists = await Promise.all(kinds.map((resource) => cluster.list({ resource, namespace: NAMESPACE })()))
      return lists
        .flatMap((list) => (list._tag === 'Right' ? list.right.items : []))
        .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
        .toSorted()
    },
    destroy: async (change = {}, answers = {}, form = 'text') => {
      const clock = memoryClock()
      const late = new AbortController()
      const target = { cluster, context: 'test', namespace: NAMESPACE, settings: {}, isNamed: true, findings: [] }
      const ports = {
        clock,
        progress,
        machine: memoryMachine('me@here', 'me@here (process 1)'),
        prompt: memoryPrompt(new Map(Object.entries(answers)), (text) => questions.push(text)),
      }
      const running = destroyEnvironment(ports)({
        target,
        environment: 'shop',
        options: { withVolumes: false, isAll: false },
        isWaiting: true,
        isYes: false,
        isDryRun: false,
        allow: () => TE.right({ warnings: [], refusal: () => undefined }),
        commands: { judge: () => ({ _tag: 'None' }), judgeOther: () => ({ _tag: 'None' }), run: TE.right(undefined) },
        breaksLock: false,
        lockWaitMs: 0,
        signal: late.signal,
        ...change,
      })
      const state = { isDone: false }
      const outcome = running.finally(() => {
        state.isDone = true
      })
      while (!state.isDone) {
        await clock.advance(50)
        if (clock.now() >= timeoutMs) late.abort('timeout')
      }
      return viewed(await outcome, (report) => showDestroyed(form, report))
    },
  }
}

export const codesOf = ({ findings }: Outcome): ReadonlyArray<string> => findings.map(({ code }) => code)

export const printed = ({ output = '' }: Outcome): string =>
  typeof output === 'string' ? output : [...output].join('')

/** An environment with objects of every kind, next to objects of others. */
export const shop: ReadonlyArray<JsonObject> = [
  record(),
  object('Deployment', 'web', { uid: 'uid-web' }),
  object('ReplicaSet', 'web-1', { uid: 'uid-rs', ...ownedBy('Deployment', 'web', 'uid-web') }),
  object('Pod', 'web-1-a', ownedBy('ReplicaSet', 'web-1', 'uid-rs')),
  object('Service', 'web'),
  object('Secret', 'web'),
  object('PersistentVolumeClaim', 'data'),
  object('ConfigMap', 'theirs', { labels: {} }),
  object('ConfigMap', 'other', { labels: { 'dev.devtool/environment': 'other' } }),
]
