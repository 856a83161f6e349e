/**
 * Twenty failures from the documentation of Kubernetes and from issue trackers, each with the cause and the next step
 * that an expert would name. They were collected before any rule for them was written.
 */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { container } from './lives.ts'

/**
 * The status of the only pod of `web`, and its log. `cause`, `step`: words that the message and the advice must
 * contain.
 */
export type Failure = {
  readonly title: string
  readonly source: string
  readonly spec?: JsonObject
  readonly status: JsonObject
  readonly events?: ReadonlyArray<readonly [reason: string, message: string]>
  readonly log?: ReadonlyArray<string>
  readonly cause: ReadonlyArray<RegExp>
  readonly step: ReadonlyArray<RegExp>
}

const scheduled = [{ type: 'PodScheduled', status: 'True' }]
export const waiting = (reason: string, message = ''): JsonObject => container({ waiting: { reason, message } })
export const creating: JsonObject = { conditions: scheduled, ...waiting('ContainerCreating') }

export const crashing = (exitCode: number): JsonObject =>
  container(
    { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container=web pod=web_demo' } },
    { restartCount: 3, lastState: { terminated: { exitCode, reason: 'Error' } } },
  )

export const notScheduled = (reason: string, message: string): JsonObject => ({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason, message }],
})

export const probed = (port: number): JsonObject => ({
  nodeName: 'node1',
  containers: [{ name: 'web', image: 'shop/web:1', readinessProbe: { httpGet: { path: '/', port } } }],
})

export const furtherFailures: ReadonlyArray<Failure> = [
  {
    title: 'the disk of the node is full while an image is unpacked',
    source: 'containerd issues: failed to extract layer, no space left on device',
    status: waiting(
      'ErrImagePull',
      'failed to pull and unpack image "shop/web:1": failed to extract layer sha256:1f2: mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount1: write /usr/lib/a.so: no space left on device: unknown',
    ),
    cause: [/disk/, /full|no space/],
    step: [/free|another node|administrator/],
  },
  {
    title: 'the image pull secret that the pod names does not exist',
    source: 'Kubernetes documentation, Pull an Image from a Private Registry: FailedToRetrieveImagePullSecret',
    status: waiting(
      'ErrImagePull',
      'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.example.com/token: 401 Unauthorized',
    ),
    events: [
      [
        'FailedToRetrieveImagePullSecret',
        'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
      ],
    ],
    cause: [/regcred/, /does not exist/],
    step: [/create/],
  },
  {
    title: 'the image names its user by name, and root is not allowed',
    source: 'issues of many images: runAsNonRoot and image has non-numeric user',
    status: waiting(
      'CreateContainerConfigError',
      'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root (pod: "web-1_demo(6e55)", container: web)',
    ),
    cause: [/\bapp\b/, /number|numeric|by name/],
    step: [/number|numeric|user: /],
  },
  {
    title: 'the image has neither ENTRYPOINT nor CMD',
    source: 'containerd and falcosidekick issues: failed to generate spec, no command specified',
    status: waiting(
      'CreateContainerError',
      'failed to generate container "8c1" spec: failed to generate spec: no command specified',
    ),
    cause: [/ENTRYPOINT|no command/],
    step: [/command/],
  },
  {
    title: 'the volume is still attached to the node of another pod',
    source: 'Kubernetes issues: Multi-Attach error for volume',
    status: creating,
    events: [
      [
        'FailedAttachVolume',
        'Multi-Attach error for volume "pvc-25580310" Volume is already used by pod(s) web-6d4f9-x2x7k',
      ],
    ],
    cause: [/attached|in use|used by/, /web-6d4f9-x2x7k|another (node|pod)/],
    step: [/delete|remove|scale|wait until/],
  },
  {
    title: 'the node has no program that mounts NFS',
    source: 'Kubernetes documentation, Volumes: nfs; issues: need a /sbin/mount.<type> helper program',
    status: creating,
    events: [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 10.0.0.5:/export /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data\nOutput: mount: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.',
      ],
    ],
    cause: [/nfs/i, /helper|client|program/],
    step: [/install|administrator|nodes?/],
  },
  {
    title: 'a file is mounted over a folder of the image',
    source: 'runc and Docker issues: Are you trying to mount a directory onto a file (or vice-versa)?',
    status: container(
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      {
        restartCount: 2,
        lastState: {
          terminated: {
            exitCode: 128,
            reason: 'StartError',
            message:
              'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/conf/web/0" to rootfs at "/etc/nginx/conf.d": create mountpoint for /etc/nginx/conf.d mount: not a directory: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type: unknown',
          },
        },
      },
    ),
    cause: [/\/etc\/nginx\/conf\.d/, /folder|directory/, /file/],
    step: [/target|mount/],
  },
  {
    title: 'the node has no address left for a pod',
    source: 'Kubernetes test-infra and microk8s issues: no IP addresses available in range set',
    status: creating,
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "9a1b": failed to allocate for range 0: no IP addresses available in range set: 10.1.56.1-10.1.56.254',
      ],
    ],
    cause: [/no .*address/i],
    step: [/another node|add a node|administrator/],
  },
  {
    title: 'the GPU of the node is not healthy',
    source: 'NVIDIA device plugin issues: Allocate failed due to no healthy devices present',
    status: {
      phase: 'Failed',
      reason: 'UnexpectedAdmissionError',
      message:
        'Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected',
    },
    cause: [/nvidia\.com\/gpu/, /healthy/],
    step: [/device plugin|driver|administrator/],
  },
  {
    title: 'the kubelet rejects a pod for which the node has too little cpu',
    source: 'Kubernetes issues: Node did not have enough resource, OutOfcpu',
    status: {
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 150, used: 11388, capacity: 11500",
    },
    cause: [/node/, /cpu/],
    step: [/reservations|request less/],
  },
  {
    title: 'scheduling gates keep the pod back',
    source: 'Kubernetes documentation, Pod Scheduling Readiness',
    spec: { containers: [], schedulingGates: [{ name: 'example.com/foo' }] },
    status: notScheduled('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'),
    cause: [/scheduling gate/, /example\.com\/foo/],
    step: [/controller|remove/],
  },
  {
    title: 'all nodes are short of disk space',
    source: 'Kubernetes documentation, Node-pressure Eviction and Taints and Tolerations: disk-pressure',
    spec: { containers: [] },
    status: notScheduled(
      'Unschedulable',
      '0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ),
    cause: [/disk/, /short|little|full|pressure/],
    step: [/free|disk space|add a node/],
  },
  {
    title: 'the program of the health check is not in the image',
    source: 'voting-app and mindaro issues: executable file not found in $PATH',
    status: container({ running: {} }),
    events: [
      [
        'Unhealthy',
        'Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "90a2": OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH',
      ],
    ],
    cause: [/curl/, /not (a program )?in the image|not installed/],
    step: [/install|http|another/],
  },
  {
    title: 'the health check speaks HTTP to a port that speaks TLS',
    source: 'Kubernetes documentation, Configure Liveness, Readiness and Startup Probes: scheme; Go net/http issues',
    spec: probed(8443),
    status: container({ running: {} }),
    events: [
      [
        'Unhealthy',
        'Readiness probe failed: Get "http://10.244.1.7:8443/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02"',
      ],
    ],
    cause: [/8443/, /TLS|HTTPS/],
    step: [/https|test/],
  },
  {
    title: 'a program without root may not listen on port 80',
    source: 'nginx, kubecost and devlake issues: bind() to 0.0.0.0:80 failed (13: Permission denied)',
    status: crashing(1),
    log: ['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)'],
    cause: [/port 80\b/, /root|not allowed|may not/],
    step: [/1024|8080|NET_BIND_SERVICE/],
  },
  {
    title: 'a volume belongs to another user than that of the program',
    source: 'Kubernetes documentation, Configure a Security Context: fsGroup; bitnami issues',
    status: crashing(1),
    log: ["mkdir: cannot create directory '/bitnami/postgresql/data': Permission denied"],
    cause: [/\/bitnami\/postgresql\/data/, /permission|may not write|not allowed to/i],
    step: [/user|group/],
  },
  {
    title: 'the program writes to a file system that is read-only',
    source: 'Kubernetes documentation, Configure a Security Context: readOnlyRootFilesystem; nginx issues',
    status: crashing(1),
    log: ['nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)'],
    cause: [/\/var\/cache\/nginx\/client_temp/, /read-only/],
    step: [/tmpfs|read_only/],
  },
  {
    title: 'the port is taken by another process of the pod',
    source: 'issues of many servers: bind: address already in use',
    status: crashing(1),
    log: ['2026/11/21 10:00:00 listen tcp :8080: bind: address already in use'],
    cause: [/port 8080\b/, /taken|in use/],
    step: [/port|second|twice/],
  },
  {
    title: 'the volume holds the data of another major version of PostgreSQL',
    source: 'docker-library/postgres issues: database files are incompatible with server',
    status: crashing(1),
    log: [
      'PostgreSQL Database directory appears to contain a database; Skipping initialization',
      'FATAL:  database files are incompatible with server',
      'DETAIL:  The data directory was initialized by PostgreSQL version 13, which is not compatible with this version 16.2.',
    ],
    cause: [/PostgreSQL|Postgres/, /13/],
    step: [/dump|upgrade|version 13/],
  },
  {
    title: 'the JavaScript heap is full',
    source: 'Node.js issues: Reached heap limit Allocation failed - JavaScript heap out of memory',
    status: crashing(134),
    log: [
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      '----- Native stack trace -----',
    ],
    cause: [/memory|heap/],
    step: [/max-old-space-size|memory limit/],
  },
]
