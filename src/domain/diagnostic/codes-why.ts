/** Codes of problems with workloads. */

export const whyCodes = {
  DT3201: {
    status: 1,
    title: 'image not found',
    text: 'The registry responds, but has no image of this name and tag. Check the spelling, and that the image was pushed to this registry.',
  },
  DT3202: {
    status: 1,
    title: 'image pull denied',
    text: 'The registry does not allow the cluster to pull this image. Some registries give the same answer for images that do not exist. A private image needs an image pull secret in the namespace, referenced by the service account.',
  },
  DT3203: {
    status: 1,
    title: 'image for another architecture',
    text: 'The image has no variant for the architecture of the node. Build it for that platform too, or choose nodes with x-node-selector.',
  },
  DT3204: {
    status: 1,
    title: 'registry not reached',
    text: 'The node cannot reach the registry: its name does not resolve, it does not respond, its certificate is not trusted, or it limits requests. The cluster keeps trying.',
  },
  DT3205: {
    status: 1,
    title: 'invalid image name',
    text: 'The value of `image` is not a valid image reference: repository names are lower case, and a tag follows a colon.',
  },
  DT3206: {
    status: 1,
    title: 'image cannot be pulled',
    text: 'The node cannot pull the image, for the reason given.',
  },
  DT3207: {
    status: 1,
    title: 'container keeps exiting',
    text: 'The program of the container exits soon after each start. The exit code and the last lines of its log say why. A service that is meant to finish needs `restart: no` or `on-failure`, which makes it a Job.',
  },
  DT3208: {
    status: 1,
    title: 'out of memory',
    text: 'The kernel killed the container because it used more memory than its limit, or than the node has. Raise the limit, or make the program use less.',
  },
  DT3209: {
    status: 1,
    title: 'health check fails',
    text: 'The program runs but does not pass its health check. Check the port and path, the address that the program listens on, and how long it takes to start.',
  },
  DT3210: {
    status: 1,
    title: 'no suitable node',
    text: 'The scheduler finds no node with enough free resources that satisfies all constraints of the pod. The message lists what is in the way.',
  },
  DT3211: {
    status: 1,
    title: 'quota exceeded',
    text: 'A ResourceQuota of the namespace leaves no room for another pod. Request less, remove something else, or have the quota raised.',
  },
  DT3212: {
    status: 1,
    title: 'claim or storage class missing',
    text: 'The pod mounts a claim that does not exist, or the claim asks for a storage class that the cluster does not have.',
  },
  DT3213: {
    status: 1,
    title: 'claim not bound',
    text: 'No volume could be provisioned or found for a claim, so the pods that mount it cannot start.',
  },
  DT3214: {
    status: 1,
    title: 'denied by an admission check',
    text: 'Pod Security, a policy or a webhook of the cluster does not allow these pods. The message says which one, and what it requires.',
  },
  DT3215: {
    status: 1,
    title: 'a controller lacks permission',
    text: 'A controller that works for this service lacks a permission. The message names the verb and the resource.',
  },
  DT3216: {
    status: 1,
    title: 'configuration missing',
    text: 'The container refers to a Secret, a ConfigMap, a key, a service account or a user that does not exist, so it cannot be created.',
  },
  DT3217: {
    status: 1,
    title: 'command cannot be started',
    text: 'The image has no such program, or it is not executable. Commands run without a shell: shell syntax needs sh -c.',
  },
  DT3218: {
    status: 1,
    title: 'init container fails',
    text: 'A container that has to succeed before the service starts exits with an error, so the service never starts.',
  },
  DT3219: {
    status: 1,
    title: 'Job failed',
    text: 'The Job has used up its retries or its time.',
  },
  DT3220: {
    status: 1,
    title: 'pod lost',
    text: 'The pod was evicted, or its node no longer responds. The cluster starts another one where it can.',
  },
  DT3221: {
    status: 1,
    title: 'dependency not ready',
    text: 'The service waits for another one that does not come up. The message follows the chain to the first cause.',
  },
  DT3222: {
    status: 1,
    title: 'outside the limits of the namespace',
    text: 'A LimitRange of the namespace does not allow the requested resources.',
  },
  DT3223: {
    status: 1,
    title: 'volume cannot be mounted',
    text: 'The node cannot attach or mount a volume of the pod, for the reason given.',
  },
  DT3224: {
    status: 1,
    title: 'not starting',
    text: 'The service does not come up, for a reason that has no code of its own. The message shows what the cluster reports.',
  },
  DT3225: {
    status: 1,
    title: 'rollout without progress',
    text: 'Somebody paused the rollout, or no pod of the new version became available for as long as the Deployment allows (progressDeadlineSeconds, 600 s by default), and nothing else explains why. Other codes take precedence. A deploy that waits ends 30 s after this is reported.',
  },
  DT3190: {
    status: 1,
    title: 'unknown host name',
    text: 'The log says that a name does not exist. Services find each other by their names in the file; the message names the closest one. A name outside of the cluster has to resolve on its nodes.',
  },
  DT3191: {
    status: 1,
    title: 'lifecycle command fails',
    text: 'A post_start command that fails ends its container, which is then started again. A pre_stop command that fails is only a warning: the container is stopped all the same.',
  },
  DT3192: {
    status: 1,
    title: 'readiness gate',
    text: 'The containers are ready, but the pod waits for a condition that another controller has to set, for example that of a load balancer.',
  },
  DT3193: {
    status: 1,
    title: 'nothing listens on the port',
    text: 'The service runs, but no connection to the port that others wait for, or that its public address leads to, is accepted. The message names the ports that accept connections.',
  },
  DT3194: {
    status: 0,
    title: 'restarts repeat',
    text: 'The service is healthy at the moment, but its pods were evicted or its containers restarted several times. `why` still ends with status 0.',
  },
  DT3195: {
    status: 1,
    title: 'no Ingress controller',
    text: 'An Ingress names a class that does not exist, or the cluster has no class at all, and no controller has given the Ingress an address: nothing serves the public addresses. `deploy --wait` and `why` warn of it where Ingress classes may be read.',
  },
} as const
