/** The Deployment `api` that the tests develop: it only sleeps, and its pods end at once. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'

/** `container` and `pod`: further fields. */
type SleepingParts = { readonly container?: JsonObject; readonly pod?: JsonObject; readonly replicas?: number }

export const sleeping = ({ container, pod, replicas = 2 }: SleepingParts = {}): JsonObject => ({
  metadata: { name: 'api', labels: { app: 'api' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'api' } },
    template: {
      metadata: { labels: { app: 'api' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'app', image: 'busybox:1.37', command: ['sh', '-c', 'sleep 3600'], ...container }],
        ...pod,
      },
    },
  },
})
