/**
 * `up` and `down` of workloads of every kind, cut off after each write as by SIGKILL. Afterwards specs, managers and
 * claims are as before, and nothing is left.
 */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { numberAt } from '../../src/domain/cluster/json.ts'
import { liveOf } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { mirrorName, mirrorSelector } from '../../src/domain/dev/names.ts'
import { inRounds, observedIn } from '../support/dev/rounds.ts'
import { workload } from '../support/dev/workloads.ts'
import {
  applied,
  everyKind,
  keyOf,
  makeWorkload,
  type Place,
  rightOf,
  stateOf,
  untilNothingIsLeft,
  untilRunning,
} from '../support/e2e/developed.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'
import { down, up } from '../support/e2e/up-down.ts'
import { until } from '../support/process/until.ts'

let world: Place | undefined
let end = async (): Promise<void> => {}

const current = (): Place => {
  if (world === undefined) throw new Error('no cluster')
  return world
}

test.before(async () => {
  const cluster = await connectReal()
  const space = await withNamespace(cluster, 'restore')
  world = { cluster, namespace: space.name }
  end = async () => {
    await space.end()
    cluster.close()
  }
})

test.after(() => end())

const running = () => ({ ...current(), clock: systemClock })

/** Of `up` and of `down`: more than either has. */
const mostWrites = 7

for (const developed of everyKind) {
  const { kind, name } = developed
  test(`${kind}: down restores it after any prefix of the writes of up and of down`, async () => {
    await makeWorkload(current(), developed)
    const before = await stateOf(current(), developed)
    for (let writes = 0; writes <= mostWrites; writes += 1) {
      await inRounds(running(), up(name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(current(), developed), before, `up was cut off after ${writes} writes`)
      await untilNothingIsLeft(current())
      await inRounds(running(), up(name))
      await inRounds(running(), down(kind, name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(current(), developed), before, `down was cut off after ${writes} writes`)
      await untilNothingIsLeft(current())
    }
    await untilRunning(current(), developed)
  })

  test(`${kind}: its mirror runs only after its pods have ended, and only --volumes deletes the claim`, async () => {
    const mirror = mirrorName(kind, name)
    await inRounds(running(), up(name))
    await until('the mirror is available', async () => {
      const live = liveOf(await observedIn(running()), 'Deployment', mirror)
      return numberAt(live, 'status', 'availableReplicas') === 1
    })
    await until('its own pods are gone', async () => {
      const { cluster, namespace } = current()
      const { items } = await rightOf(
        cluster.list({ resource: resources.Pod, namespace, labels: `app=${name},!dev.devtool/mirror` }),
      )
      return items.length === 0
    })
    await inRounds(running(), down(kind, name))
    assert.ok(liveOf(await observedIn(running()), 'PersistentVolumeClaim', mirror))
    await inRounds(running(), up(name))
    await inRounds(running(), down(kind, name, true))
    await until('the claim is gone', async () => {
      return liveOf(await observedIn(running()), 'PersistentVolumeClaim', mirror) === undefined
    })
    await current().cluster.remove(keyOf(current(), kind, name), { propagation: 'Background' })()
  })
}

test('a new claim is filled with the folder of the image, and writable by any user', async () => {
  const name = 'filled'
  const { cluster, namespace } = current()
  const pod = { securityContext: { runAsUser: 1000, runAsNonRoot: true } }
  await applied(current(), 'Deployment', name, workload('Deployment', { name, pod }))
  await inRounds(running(), up(name, '/etc'))
  const labels = mirrorSelector(mirrorName('Deployment', name))
  const command = ['sh', '-c', 'grep -c root /etc/passwd && touch /etc/written']
  await until('the files are there', async () => {
    const { items } = await rightOf(cluster.list({ resource: resources.Pod, namespace, labels }))
    const [first] = items
    if (first === undefined) return false
    const never = new AbortController().signal
    const started = await cluster.pods.exec(
      { namespace, name: first.metadata.name },
      { command, container: 'app' },
      never,
    )()
    if (E.isLeft(started)) return false
    started.right.stdout.resume()
    started.right.stderr.resume()
    const exit = await started.right.exit()
    return E.isRight(exit) && exit.right === 0
  })
  await inRounds(running(), down('Deployment', name, true))
})

test.run()
