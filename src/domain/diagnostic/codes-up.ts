/** Codes of `up`, `down`, `exec`, `restart` and `status`. */

export const upCodes = {
  DT5030: {
    status: 1,
    title: 'no process in the background',
    text: '`devtool up --detach` runs its session in a background process, which could not be started. The message has the reason. Without `--detach`, the session runs in the terminal.',
  },
  DT5031: {
    status: 1,
    title: 'the session in the background has ended',
    text: 'The process that `devtool up --detach` started has ended before its session was ready. The message has the last lines of its log. What was made in the cluster stays: run the command again, or `devtool down`.',
  },
  DT5032: {
    status: 3,
    title: 'no folder for the command',
    text: 'With `mode: hybrid` the command of a development container runs on this machine, in the folder that `workdir` names, or in that of the manifest. There is no such folder. Nothing was changed in the cluster.',
  },
  DT5033: {
    status: 0,
    title: 'flag of another session',
    text: 'The session of the development container runs in the background already, and keeps what it was started with. The flag has no effect: end it with `devtool down`, and run `devtool up --detach` with the flag.',
  },
  DT5050: {
    status: 2,
    title: 'which development container',
    text: 'There are several development containers, and without a terminal nobody can be asked which one is meant. Name it: `devtool up api`. `up` takes several names.',
  },
  DT5051: {
    status: 2,
    title: 'no such development container',
    text: 'The section `dev` of the manifest has no entry of that name. A Compose file without a section `dev` has a development container for each of its services.',
  },
  DT5052: {
    status: 3,
    title: 'nothing to develop',
    text: 'The manifest has neither a section `dev` nor services, so there is nothing that `up` could turn into a development container.',
  },
  DT5053: {
    status: 5,
    title: 'no active development container',
    text: '`exec`, `restart` and `status` need a development container that `devtool up` has started in this namespace. `devtool status` lists those that are active.',
  },
  DT5054: {
    status: 4,
    title: 'permissions for development are missing',
    text: 'A development container needs more than reading: it forwards ports to pods, which takes both `get` and `create` on pods/portforward (or on pods/exec), and writes ConfigMaps, Secrets and Deployments. A workload that is no Deployment takes `get`, `list`, `watch` and `patch` on its kind. The message lists what the user may not do. Nothing was changed. The role `edit` in the namespace is enough, unless an autoscaler of KEDA has to be paused, which takes `list` and `patch` on scaledobjects.',
  },
  DT5055: {
    status: 125,
    title: 'connection to the development container lost',
    text: 'The command was started, or was about to be, and the connection to the development container failed, so its exit status is unknown. It may still be running. `up` also ends with it when a folder cannot be synchronised; the message says why.',
  },
  DT5056: {
    status: 1,
    title: 'development container does not start',
    text: 'The pod of the development container does not run: `up` ends as soon as it is known why, with the cause as `devtool why` names it, and at the latest after the time that the section allows. `devtool down` restores the workload as it was.',
  },
  DT5057: {
    status: 2,
    title: 'no command',
    text: '`exec` runs what follows `--`: `devtool exec -- npm test`.',
  },
  DT5058: {
    status: 5,
    title: 'keys of the development container are gone',
    text: 'The Secret with the keys of a development container was deleted, so nothing can connect to it. `devtool up` makes new ones and starts the container again.',
  },
  DT5060: {
    status: 7,
    title: 'record of a namespace that sleeps is unreadable',
    text: 'The ConfigMap devtool-sleep says what `devtool namespace sleep` has stopped and how it was before. It was changed by hand, or written by a newer version of devtool. Nothing is changed while it cannot be read.',
  },
  DT5061: {
    status: 7,
    title: 'somebody develops in the namespace',
    text: 'A namespace never sleeps while it has a development container. `devtool down` ends one and restores its workload. Nothing was stopped.',
  },
  DT5063: {
    status: 7,
    title: 'somebody deploys in the namespace',
    text: 'A namespace does not go to sleep while a deploy or a destroy is under way in it: the run holds the lock of its environment. Nothing was stopped.',
  },
  DT5062: {
    status: 0,
    title: 'started before what it depends on',
    text: 'Warning. A namespace that wakes starts its services in the order of `depends_on`. What they depend on was not ready after two minutes, so they were started without it; `devtool why` says what is wrong.',
  },
} as const
