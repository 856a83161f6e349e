/**
 * Many runs that are queued at the same time: `tsx scripts/bench-platform-queue.ts [--runs=500] [--write]`. For a control
 * plane of its own, without nodes, which is that of $KUBECONFIG: this program ends the pods of the runs, and stops the
 * leading controller in the middle.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../src/adapters/system/clock.ts'
import { labelOf } from '../src/domain/cluster/live.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import { RUN_LABEL } from '../src/domain/k8s/labels.ts'
import { grouped } from '../src/domain/object/grouped.ts'
import { rights } from '../src/domain/platform/manifests/rights.ts'
import { USERS_NAMESPACE, userIdOf } from '../src/domain/platform/names.ts'
import { completedObject, namespaceObject, templateOf } from '../src/domain/platform/namespace/objects.ts'
import {
  hasEnded,
  RUN_SELECTOR,
  recordChange,
  recordObject,
  runIn,
  runName,
} from '../src/domain/platform/run/record.ts'
import { queuedRun, type RunRequest, randomRunId, runJob } from '../src/domain/platform/run/request.ts'
import { runJobIn, usualLimits } from '../src/domain/platform/run/schedule.ts'
import { runController } from '../src/server/control.ts'
import { done } from '../test/contract/cluster-world.ts'
import { connectReal } from '../test/support/e2e/real-cluster.ts'
import { manager, putting } from './bench-platform-api.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const count = Number(flag('runs') ?? 500)
const perNamespace = 20

const programs = { image: 'devtool/platform:bench', domain: 'apps.example.com', registry: '' }
const user = { user: userIdOf('https://login.example.com', 'ann'), email: 'ann@example.com' }
const prefix = `queue-${randomBytes(3).toString('hex')}`
const namespaceOf = (index: number): string => `${prefix}-${Math.floor(index / perNamespace)}`

const cluster = await connectReal()

const put = putting(cluster)

const furnish = async (name: string): Promise<void> => {
  await put('Namespace', namespaceObject(name, 'namespace', user.user))
  for (const { kind, object } of templateOf(name)) await put(kind, JSON.parse(JSON.stringify(object)), name)
  const key = { resource: resources.Namespace, name }
  const live = await done(cluster.get(key))
  await done(cluster.merge(key, completedObject(live?.metadata.uid ?? ''), { manager }))
}

const queue = async (index: number): Promise<string> => {
  const namespace = namespaceOf(index)
  const request: RunRequest = {
    id: randomRunId(randomBytes(8)),
    action: 'deploy',
    environment: `shop-${index}`,
    namespace,
    who: user,
    now: systemClock.date(),
    nowMs: systemClock.wallMs(),
    timeoutSeconds: 3000,
  }
  await put('Job', runJob(programs, request), namespace)
  await put('ConfigMap', recordObject(queuedRun(request), request.nowMs), namespace)
  return request.id
}

type Seen = { readonly pods: Map<string, Set<string>>; mostOfAll: number; mostOfOne: number }

/** As a node would: a pod runs for a moment, writes the record of its run, and ends. */
const carriedOut = async (pod: {
  readonly name: string
  readonly namespace: string
  readonly id: string
}): Promise<void> => {
  const record = { resource: resources.ConfigMap, namespace: pod.namespace, name: runName(pod.id) }
  const live = await done(cluster.get(record))
  const run = live === undefined ? undefined : runIn(live)
  if (live === undefined || run === undefined || hasEnded(run)) throw new Error(`${pod.id} cannot run`)
  const now = systemClock.date()
  const ended = { ...run, status: 'succeeded', started: now, ended: now, exitStatus: 0 } as const
  await done(cluster.merge(record, recordChange(ended, live.metadata.resourceVersion, new Uint8Array()), { manager }))
  const resource = { ...resources.Pod, plural: `pods/${pod.name}` }
  const key = { resource, namespace: pod.namespace, name: 'status' }
  await done(cluster.merge(key, { status: { phase: 'Succeeded' } }, { manager }))
}

const nodes = async (seen: Seen, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const { items } = await done(cluster.list({ resource: resources.Pod, labels: RUN_SELECTOR }))
    const fresh = items.flatMap((live) => {
      const [id, { name, namespace = '', uid }] = [labelOf(live, RUN_LABEL) ?? '', live.metadata]
      const pods = seen.pods.get(id) ?? new Set()
      seen.pods.set(id, pods)
      if (pods.has(uid) || !namespace.startsWith(prefix)) return []
      pods.add(uid)
      return [{ id, name, namespace }]
    })
    const jobs = (await done(cluster.list({ resource: resources.Job, labels: RUN_SELECTOR }))).items
    const active = jobs.flatMap((job) => runJobIn(job) ?? []).filter(({ state }) => state === 'Active')
    const byNamespace = [...grouped(active, ({ namespace }) => namespace).values()]
    seen.mostOfAll = Math.max(seen.mostOfAll, active.length)
    seen.mostOfOne = Math.max(seen.mostOfOne, ...byNamespace.map((ones) => ones.length))
    await Promise.all(fresh.map(carriedOut))
    await sleep(200)
  }
}

const endedRuns = async (): Promise<ReadonlyArray<string>> => {
  const { items } = await done(cluster.list({ resource: resources.ConfigMap, labels: RUN_SELECTOR }))
  return items.flatMap((live) => {
    const run = runIn(live)
    return run?.namespace.startsWith(prefix) === true && hasEnded(run) ? [`${run.id} ${run.status}`] : []
  })
}

const measure = async (): Promise<string> => {
  for (const name of ['devtool-system', USERS_NAMESPACE])
    await put('Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const right of rights) await put(right.kind, JSON.parse(JSON.stringify(right)), right.metadata.namespace)
  for (const name of new Set(Array.from({ length: count }, (_, index) => namespaceOf(index)))) await furnish(name)
  const ids: Array<string> = []
  for (let index = 0; index < count; index += 20) {
    ids.push(
      ...(await Promise.all(Array.from({ length: Math.min(20, count - index) }, (_, more) => queue(index + more)))),
    )
  }
  const seen: Seen = { pods: new Map(), mostOfAll: 0, mostOfOne: 0 }
  const stopped = new AbortController()
  const begin = performance.now()
  const [first, second] = ['one', 'two'].map((holder) =>
    runController({ cluster, clock: systemClock, programs, holder, write: () => {} }),
  )
  const running = nodes(seen, stopped.signal)
  try {
    let isLed = true
    for (let ended = 0; ended < count; ended = (await endedRuns()).length) {
      if (isLed && ended > count / 2) {
        isLed = false
        await first?.stop()
      }
      await Promise.race([sleep(500), running])
    }
    const seconds = (performance.now() - begin) / 1000
    const all = await endedRuns()
    const once = ids.filter((id) => seen.pods.get(id)?.size === 1 && all.includes(`${id} succeeded`)).length
    const [isOnce, isLimited] = [
      once === count,
      seen.mostOfOne <= usualLimits.namespace && seen.mostOfAll <= usualLimits.cluster,
    ]
    return [
      '| what | measured | target |',
      '|---|---:|---:|',
      `| runs that had one pod, and succeeded | ${once} | ${isOnce ? '' : '**missed** '}${count} |`,
      `| most at the same time, in one namespace | ${seen.mostOfOne} | ${isLimited ? '' : '**missed** '}≤ ${usualLimits.namespace} |`,
      `| most at the same time | ${seen.mostOfAll} | ${isLimited ? '' : '**missed** '}≤ ${usualLimits.cluster} |`,
      `| all have ended after | ${seconds.toFixed(0)} s | |`,
    ].join('\n')
  } finally {
    stopped.abort()
    await running
    await second?.stop()
    await first?.stop()
  }
}

const machine = `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${(cpus()[0]?.model ?? '').split(' ').slice(0, 2).join(' ')}`
const load = loadavg()[0] ?? 0
const table = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:platform-queue\`: ${count} runs that are queued at once, on a control plane without nodes, whose part the benchmark has; the leading controller is stopped in the middle. ${machine}, load ${load.toFixed(1)}\n\n${await measure()}`
process.stdout.write(`${table}\n`)
if (process.argv.includes('--write')) {
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), `${count} runs queued at once`, table))
}
cluster.close()
process.exit(0)
