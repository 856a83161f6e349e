/**
 * A second list of twenty failures, collected when the rules for the first were there and before these were tried. Most
 * are told by the log of the program alone.
 */
import { crashing, creating, type Failure, notScheduled, probed, waiting } from './further.ts'
import { container } from './lives.ts'

export const secondList: ReadonlyArray<Failure> = [
  {
    title: 'the registry limits pulls without a login',
    source: 'Docker documentation, Docker Hub usage and limits',
    status: waiting(
      'ErrImagePull',
      'failed to pull and unpack image "docker.io/library/redis:7": failed to copy: httpReadSeeker: failed open: unexpected status from GET request to https://registry-1.docker.io/v2/library/redis/manifests/sha256:1f2: 429 Too Many Requests toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    ),
    cause: [/limit/],
    step: [/pull secret|credentials|log ?in|mirror|another registry/],
  },
  {
    title: 'the image is in a format that containerd does not read any more',
    source: 'containerd issues: schema 1 image manifests are no longer supported',
    status: waiting(
      'ErrImagePull',
      'failed to pull and unpack image "registry.example.com/old:1": not implemented: media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1, please rebuild the image as "application/vnd.docker.distribution.manifest.v2+json" or "application/vnd.oci.image.manifest.v1+json"',
    ),
    cause: [/manifest|format/, /no longer|old/],
    step: [/rebuild|build it again|push it again/],
  },
  {
    title: 'the image may not be pulled and is not on the node',
    source: 'Kubernetes documentation, Images: image pull policy; minikube and kind issues',
    status: waiting('ErrImageNeverPull', 'Container image "shop/web:dev" is not present with pull policy of Never'),
    cause: [/not (present|there|on)/, /never/i],
    step: [/pull_policy|load|push/],
  },
  {
    title: 'the network plugin of the node is not ready',
    source: 'flannel and k3s issues: open /run/flannel/subnet.env: no such file or directory',
    status: creating,
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5d1": plugin type="flannel" failed (add): failed to load flannel \'subnet.env\' file: open /run/flannel/subnet.env: no such file or directory. Check the flannel pod log for this node.',
      ],
    ],
    cause: [/network/],
    step: [/administrator|network plugin|flannel/],
  },
  {
    title: 'every node has as many pods as it may have',
    source: 'Kubernetes documentation, Considerations for large clusters; EKS issues: Too many pods',
    status: notScheduled('Unschedulable', '0/2 nodes are available: 2 Too many pods.'),
    cause: [/pods/, /node/],
    step: [/add a node|another node|remove|fewer/],
  },
  {
    title: 'no node has a GPU that is free',
    source: 'Kubernetes documentation, Schedule GPUs; NVIDIA device plugin issues',
    status: notScheduled('Unschedulable', '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.'),
    cause: [/nvidia\.com\/gpu/],
    step: [/device plugin|GPU/],
  },
  {
    title: 'the health check answers too late',
    source: 'Kubernetes documentation, Configure Liveness, Readiness and Startup Probes: timeoutSeconds',
    spec: probed(8080),
    status: container({ running: {} }),
    events: [
      [
        'Unhealthy',
        'Readiness probe failed: Get "http://10.244.1.7:8080/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      ],
    ],
    cause: [/8080/, /in time|within|too (late|slow)|did not (answer|respond)/],
    step: [/timeout/],
  },
  {
    title: 'PostgreSQL was initialised with another password',
    source: 'docker-library/postgres issues: password authentication failed after POSTGRES_PASSWORD was changed',
    status: crashing(1),
    log: ['error: password authentication failed for user "app"'],
    cause: [/app/, /password/],
    step: [/volume|first start|initiali[sz]ed/],
  },
  {
    title: 'MySQL was initialised with another password',
    source: 'docker-library/mysql issues: Access denied for user after MYSQL_ROOT_PASSWORD was changed',
    status: crashing(1),
    log: ["Error: ER_ACCESS_DENIED_ERROR: Access denied for user 'root'@'10.244.1.7' (using password: YES)"],
    cause: [/root/, /password|access/i],
    step: [/volume|first start|initiali[sz]ed/],
  },
  {
    title: 'the folder of PostgreSQL is the root of a new disk',
    source: 'docker-library/postgres documentation, PGDATA: lost+found',
    status: crashing(1),
    log: [
      'initdb: error: directory "/var/lib/postgresql/data" exists but is not empty',
      'initdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.',
      'initdb: hint: Using a mount point directly as the data directory is not recommended.',
    ],
    cause: [/\/var\/lib\/postgresql\/data/, /not empty|lost\+found/],
    step: [/PGDATA|folder below|subfolder/],
  },
  {
    title: 'the program looks for its database on its own pod',
    source: 'Compose and Kubernetes questions: connect ECONNREFUSED 127.0.0.1',
    status: crashing(1),
    log: ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
    cause: [/127\.0\.0\.1|localhost/, /5432/],
    step: [/name of the service|service's name|by its name|service name/],
  },
  {
    title: 'a module of Node is not there',
    source: "Node.js issues: Error: Cannot find module '/app/server.js'",
    status: crashing(1),
    log: ['node:internal/modules/cjs/loader:1228', '  throw err;', "Error: Cannot find module '/app/server.js'"],
    cause: [/\/app\/server\.js/],
    step: [/image|working_dir|volume|COPY/],
  },
  {
    title: 'a module of Python is not there',
    source: 'Python questions: ModuleNotFoundError in a container',
    status: crashing(1),
    log: ['Traceback (most recent call last):', "ModuleNotFoundError: No module named 'flask'"],
    cause: [/flask/],
    step: [/install|image|requirements/],
  },
  {
    title: 'the Java heap is full',
    source: 'OpenJDK documentation: -XX:MaxRAMPercentage; java.lang.OutOfMemoryError',
    status: crashing(3),
    log: ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'],
    cause: [/memory|heap/],
    step: [/MaxRAMPercentage|-Xmx|memory limit/],
  },
  {
    title: 'the program is for another architecture',
    source: 'Docker issues: exec /usr/local/bin/docker-entrypoint.sh: exec format error',
    status: crashing(255),
    log: ['exec /usr/local/bin/docker-entrypoint.sh: exec format error'],
    cause: [/architecture|platform|format/],
    step: [/platform|architecture/],
  },
  {
    title: 'Elasticsearch needs a higher limit of the node',
    source: 'Elasticsearch documentation, Virtual memory: vm.max_map_count',
    status: crashing(78),
    log: [
      'ERROR: [1] bootstrap checks failed.',
      'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
    ],
    cause: [/vm\.max_map_count/],
    step: [/node|administrator|sysctl/],
  },
  {
    title: 'the node has no watcher of files left',
    source: 'Node.js and webpack issues: ENOSPC: System limit for number of file watchers reached',
    status: crashing(1),
    log: ["Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'"],
    cause: [/watch/],
    step: [/inotify|polling|administrator/],
  },
  {
    title: 'the certificate of a server is not trusted',
    source: 'Go and Alpine issues: x509: certificate signed by unknown authority',
    status: crashing(1),
    log: [
      'Post "https://api.example.com/v1/login": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    cause: [/api\.example\.com/, /certificate/],
    step: [/ca-certificates|authority|trust/],
  },
  {
    title: 'the program may not change the owner of its files',
    source: 'Kubernetes documentation, Configure a Security Context; Docker issues: chown Operation not permitted',
    status: crashing(1),
    log: ["chown: changing ownership of '/var/lib/mysql': Operation not permitted"],
    cause: [/\/var\/lib\/mysql/, /owner|not permitted|may not/],
    step: [/user|CHOWN|cap_/],
  },
  {
    title: 'the program ends with a segmentation fault',
    source: 'Docker issues: exit code 139',
    status: crashing(139),
    log: ['starting'],
    cause: [/139/, /segmentation|memory|SIGSEGV/],
    step: [/native|library|architecture|libc/],
  },
]
