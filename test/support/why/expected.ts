/** The code that must be reported first for each broken service, and statuses of pods on nodes that do not exist. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'

export const expectedCodes: Readonly<Record<string, string>> = {
  'account-missing': 'DT3216',
  'bare-pod': 'DT3201',
  'claim-class': 'DT3212',
  'claim-missing': 'DT3212',
  'claim-unbound': 'DT3213',
  'command-forbidden': 'DT3217',
  'command-missing': 'DT3217',
  'config-file': 'DT3216',
  'config-item': 'DT3216',
  'config-key': 'DT3216',
  'config-map': 'DT3216',
  'config-root': 'DT3216',
  'config-secret': 'DT3216',
  crash: 'DT3207',
  'crash-clean': 'DT3207',
  dependency: 'DT3207',
  evicted: 'DT3220',
  'evicted-repeat': 'DT3194',
  'folder-is-file': 'DT3217',
  'image-architecture': 'DT3203',
  'image-format': 'DT3203',
  'image-invalid': 'DT3205',
  'image-name': 'DT3201',
  'image-registry': 'DT3204',
  'image-rights': 'DT3202',
  'ingress-port': 'DT3193',
  'init-fails': 'DT3218',
  'job-failed': 'DT3219',
  'job-late': 'DT3219',
  'job-retried': 'DT3219',
  'limit-range': 'DT3222',
  'memory-tiny': 'DT3208',
  'name-unknown': 'DT3190',
  'name-unknown-loop': 'DT3190',
  'node-apart': 'DT3210',
  'node-cpu': 'DT3210',
  'node-lost': 'DT3220',
  'node-memory': 'DT3210',
  'node-port': 'DT3210',
  'node-selector': 'DT3210',
  'out-of-memory': 'DT3208',
  'pod-security': 'DT3214',
  policy: 'DT3214',
  'port-awaited': 'DT3193',
  'port-awaiting': 'DT3193',
  'post-start': 'DT3191',
  'pre-stop': 'DT3209',
  'probe-command': 'DT3209',
  'probe-live': 'DT3209',
  'probe-port': 'DT3209',
  'probe-status': 'DT3209',
  'program-libc': 'DT3217',
  quota: 'DT3211',
  'quota-unsaid': 'DT3211',
  'readiness-gate': 'DT3192',
  'restarts-repeat': 'DT3194',
  'script-crlf': 'DT3217',
  'script-env-crlf': 'DT3217',
  'script-in-image': 'DT3217',
  'script-interpreter': 'DT3217',
  'slow-start': 'DT3209',
  'volume-elsewhere': 'DT3210',
  'volume-hides': 'DT3217',
  'volume-hides-script': 'DT3217',
  webhook: 'DT3214',
}

const pulling = (service: string, image: string, why: string): JsonObject => ({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'True' }],
  containerStatuses: [
    {
      name: service,
      image,
      imageID: '',
      ready: false,
      restartCount: 0,
      state: {
        waiting: {
          reason: 'ErrImagePull',
          message: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${why}`,
        },
      },
    },
  ],
})

/** In the format of containerd. `undefined`: no status is known for this service. */
export const saidOfNoNode = (service: string): JsonObject | undefined => {
  switch (service) {
    case 'image-rights':
      return pulling(
        service,
        'registry.example.com/team/private:1',
        'pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials',
      )
    case 'image-registry':
      return pulling(
        service,
        'registry.example.com/team/app:1',
        'failed to do request: Head "https://registry.example.com/v2/team/app/manifests/1": dial tcp: lookup registry.example.com: no such host',
      )
    default:
      return undefined
  }
}

/** The letters that Kubernetes uses in generated names. */
const GENERATED = '[bcdfghjklmnpqrstvwxz2456789]'
const names = Object.keys(expectedCodes).toSorted((a, b) => b.length - a.length)
const generatedName = new RegExp(
  `\\b(${names.join('|')})-${GENERATED}{4,10}(?:-(?:${GENERATED}{5})?)?(?![a-z0-9-])`,
  'g',
)

/** Replaces what differs from run to run, or from cluster to cluster, by fixed words. */
export const normal = (text: string): string =>
  text
    .replace(generatedName, '$1-GENERATED')
    .replace(/\b(?!0\.0\.0\.0|127\.0\.0\.1)\d+\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
    .replace(/\bthe node [\w.-]+(?= evicted|, on which)/g, 'the node NODE')
    .replace(/, restarted (?:once|\d+ times)/g, '')
    .replace(/ \(\d+ times\)/g, '')
    .replace(/\((\d+) nodes?\)/g, '(N nodes)')
    .replace(/, and \d+ more/g, ', and N more')
    .replace(/\b\d+ (node\(s\)|Insufficient|No preemption|Preemption)/g, 'N $1')
    .replace(/0\/\d+ nodes/g, '0/N nodes')
