/** Codes of development containers. */

export const devCodes = {
  DT5001: {
    status: 5,
    title: 'no workload to develop',
    text: 'No Deployment, StatefulSet, DaemonSet, Job or CronJob of the namespace has the name or the labels of the dev section. Deploy it first, or correct the section; autocreate: true makes a Deployment for it.',
  },
  DT5002: {
    status: 3,
    title: 'several workloads to develop',
    text: 'The labels in selector are those of several workloads. Name the workload, or add a label that only one of them has.',
  },
  DT5003: {
    status: 3,
    title: 'no such container',
    text: 'The workload has no container of the name in the dev section. Without a name it is the first container of the pod.',
  },
  DT5004: {
    status: 1,
    title: 'record unreadable',
    text: 'The ConfigMap with the record of a development container was edited by hand, or written by a newer version.',
  },
  DT5005: {
    status: 7,
    title: 'developed by you elsewhere',
    text: 'Another session of yours develops the workload, in another terminal or on another machine. `devtool exec -- sh` opens another terminal in the same container; --take-over ends the other session and continues here.',
  },
  DT5006: {
    status: 7,
    title: 'developed by somebody else',
    text: 'Somebody else develops the workload. Ask them, or take it over with --take-over, which ends their session. What they have running in the container is lost.',
  },
  DT5010: {
    status: 0,
    title: 'autoscaler waits',
    text: 'A HorizontalPodAutoscaler scales the workload. It leaves a workload without replicas alone, so it does nothing until `devtool down`, and nothing is changed in it.',
  },
  DT5011: {
    status: 0,
    title: 'KEDA is paused',
    text: 'KEDA scales the workload, and would start it again. Its ScaledObject gets the annotation autoscaling.keda.sh/paused, which `devtool down` removes.',
  },
  DT5012: {
    status: 0,
    title: 'Flux is paused',
    text: 'Flux keeps the workload as it is in its source, and would start it again. The workload gets the annotation with which Flux leaves it alone; `devtool down` removes it.',
  },
  DT5013: {
    status: 0,
    title: 'a controller may interfere',
    text: 'The workload belongs to an application of Argo CD that does not heal itself or may not be read, or to an object of an operator. Its controller may start the workload again beside the development container, which `up` says when it happens. Pause it if you may.',
  },
  DT5014: {
    status: 0,
    title: 'drains wait',
    text: 'A PodDisruptionBudget covers the only pod of the development container, so draining its node may wait until `devtool down`.',
  },
  DT5015: {
    status: 7,
    title: 'workload is being deleted',
    text: 'The workload is being deleted, or was replaced by another one of the same name. Deploy it, then run the command again.',
  },
  DT5016: {
    status: 7,
    title: 'name taken',
    text: 'An object that was not made by `devtool up` has the name that the development container needs. It is never taken over: rename or delete it.',
  },
  DT5017: {
    status: 3,
    title: 'not a folder to synchronise',
    text: 'What `sync` names on this machine does not exist or is no folder. Nothing was changed in the cluster. Correct the path, which starts from the folder of the manifest, or make the folder.',
  },
  DT5018: {
    status: 3,
    title: 'hybrid mode is not supported',
    text: 'Older versions could not run the command of `mode: hybrid` on this machine. This one can, and does not report it.',
  },
  DT5019: {
    status: 0,
    title: 'Argo CD is paused',
    text: 'The workload belongs to an application of Argo CD that heals itself, which would start the workload again. `up` asks, and gives the application the annotation argocd.argoproj.io/skip-reconcile; the last `devtool down` of its workloads removes it. Nothing of the application is synchronised meanwhile.',
  },
  DT5020: {
    status: 7,
    title: 'deploy would end a session',
    text: 'Somebody develops a workload that this deploy would have to delete and recreate, which would end their session and what runs in it. Nothing was changed: `devtool down` first.',
  },
  DT5021: {
    status: 0,
    title: 'workload stays stopped',
    text: 'Somebody develops the workload, so it is deployed but stays stopped; the development container gets the new definition. The number of replicas in the files is what `devtool down` puts back.',
  },
  DT5022: {
    status: 0,
    title: 'SSH address not written',
    text: 'The files by which ssh and IDEs connect to a development container, below ~/.ssh/devtool, could not be written or removed, or ~/.ssh/config could not be made to include them. Everything else works without them.',
  },
} as const
