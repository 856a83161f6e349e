/** What the controller may do with the workloads of tenants. */
import { type JsonObject, listAt } from '../../../src/domain/cluster/json.ts'
import { done } from '../../contract/cluster-world.ts'
import { type Attempt, change, isForbidden, isRefusedBy, posted, removal, type World } from './platform-world.ts'
import { sleeping } from './sleeping.ts'

/** It stops them, and changes nothing else of them. */
export const workloadsStay = async ({ as, cluster, controller, elsewhere, shop }: World): Promise<void> => {
  const web = sleeping()
  const spec = web['spec'] ?? null
  const changed = (place: string, more: JsonObject): Attempt =>
    change(controller, 'Deployment', 'api', { spec: more }, place)
  const metadata = { name: 'api' }
  await done(posted(as('member'), shop)('Deployment', metadata, { spec }))
  await done(posted(cluster, elsewhere)('Deployment', metadata, { spec }))
  const once = {
    template: { spec: { restartPolicy: 'Never', containers: listAt(web, 'spec', 'template', 'spec', 'containers') } },
  }
  const cron = { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: once } }
  await done(posted(as('member'), shop)('CronJob', metadata, { spec: cron }))

  await done(changed(shop, { replicas: 0 }))
  await isRefusedBy('confine', 'writes only in', changed(elsewhere, { replicas: 0 }))
  const [only, other] = ['stops and starts workloads', [{ name: 'app', image: 'other' }]]
  const attempts: ReadonlyArray<JsonObject> = [
    { containers: other },
    { initContainers: [{ name: 'first', image: 'other' }] },
    { serviceAccountName: 'devtool-run' },
    { volumes: [{ name: 'all', emptyDir: {} }] },
    { hostNetwork: true },
  ]
  for (const pods of attempts) {
    await isRefusedBy('confine', only, changed(shop, { template: { spec: pods } }))
  }
  const job = { spec: { jobTemplate: { spec: { suspend: true } } } }
  await isRefusedBy('confine', 'suspends and resumes', change(controller, 'CronJob', 'api', job, shop))
  await done(change(controller, 'CronJob', 'api', { spec: { suspend: false } }, shop))
  await isForbidden(removal(controller, 'Deployment', 'api', shop))
  await isForbidden(posted(controller, shop)('Deployment', { name: 'own' }, { spec }))
}
