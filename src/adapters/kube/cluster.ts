/** The port `Cluster` over the Kubernetes API: bodies are sent as they are, and responses are returned as they came. */
import type { Cluster } from '../../ports/cluster.ts'
import { type Asker, asker } from './api/request.ts'
import type { Pauses } from './api/retry.ts'
import type { ApiTransport } from './api/transport.ts'
import { askingVersion, discovering } from './discovery.ts'
import { logging } from './logs.ts'
import { podsOf } from './pods/pods.ts'
import { portProbe } from './probe-port.ts'
import { getting, listing, paging } from './read.ts'
import { watching } from './watch.ts'
import { applying, creating, merging, removing, replacing } from './write.ts'

/** Methods that need more than requests. */
type Others = Pick<Cluster, 'authority' | 'warnings'> & {
  readonly labellingOf: (upstream: ApiTransport) => Cluster['labelling']
  /** Tells the user what is waited for. */
  readonly say: (text: string) => void
}

export const kubeCluster = (upstream: ApiTransport, pauses: Pauses, others: Others): Cluster => {
  const { labellingOf, say, ...rest } = others
  const { server } = upstream
  const closed = new AbortController()
  const asking = asker(upstream, pauses, say)
  // Closing does not wait: neither for a response nor for the pause before a retry.
  const ask: Asker = (question) => {
    const { signal } = question
    const either = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal])
    return asking({ ...question, signal: either })
  }
  const page = paging(ask)
  const list = listing(page)
  const pods = podsOf({ upstream, clock: pauses.clock })
  return {
    server,
    get: getting(ask, server),
    page,
    list,
    watch: watching(upstream, list),
    apply: applying(ask, server),
    create: creating(ask),
    replace: replacing(ask, server),
    merge: merging(ask, server),
    remove: removing(ask),
    logs: logging(upstream),
    pods,
    probePort: portProbe(pods, pauses.clock),
    resources: discovering(ask),
    version: askingVersion(ask),
    labelling: labellingOf(upstream),
    ...rest,
    as: (account) => kubeCluster(upstream.as(account), pauses, others),
    close: () => {
      closed.abort()
      upstream.close()
    },
  }
}
