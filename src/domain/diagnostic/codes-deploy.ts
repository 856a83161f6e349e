/** Codes of deploying: ownership, lock, record. */

export const deployCodes = {
  DT3101: {
    status: 7,
    title: 'object belongs to another owner',
    text: 'An object of that name already exists in the namespace and belongs to another environment, to another tool or to nobody. It is never taken over: deploy to another namespace, rename the service, or delete the object.',
  },
  DT3102: {
    status: 7,
    title: 'field conflict',
    text: 'Another field manager set the field to a different value (server-side apply). The message names the manager and both values; --force-conflicts takes the field over.',
  },
  DT3103: {
    status: 7,
    title: 'changed concurrently',
    text: 'Something else created, replaced or deleted an object while it was being deployed. Run deploy again.',
  },
  DT3105: {
    status: 3,
    title: 'volume cannot be changed',
    text: 'The claim of a volume cannot shrink, nor change its storage class or access mode. It holds data, so it is not replaced. Whether it can grow is up to its storage class; that of a development container which cannot stays as it is, with a warning.',
  },
  DT3110: {
    status: 7,
    title: 'environment is locked',
    text: 'Another deploy or destroy of this environment is running. --wait-for-lock waits until it ends. If its process is gone, the lock expires after 30 seconds without being renewed; --break-lock takes it at once.',
  },
  DT3111: {
    status: 7,
    title: 'lock lost',
    text: 'Another run took the lock of the environment, or it could not be renewed for 40 seconds, so no further change was made. Run the command again.',
  },
  DT3112: {
    status: 1,
    title: 'record too large',
    text: 'The record of an environment is a single ConfigMap, which can hold about one megabyte. Split the environment.',
  },
  DT3113: {
    status: 1,
    title: 'record unreadable',
    text: 'The ConfigMap with the record of the environment was edited by hand, or written by a newer version.',
  },
  DT3114: {
    status: 7,
    title: 'environment of another project',
    text: 'An environment of that name was deployed from another repository or folder, and the file here has less than half of its services. Deploy under another name, or use --take-over if the environment should belong to this project from now on. A name given by --name or DEVTOOL_NAME is not questioned.',
  },
  DT3115: {
    status: 0,
    title: 'deployed from elsewhere before',
    text: 'The environment was last deployed from another repository or folder, but most of its services are in this file, so the command goes on: the project was moved, renamed or forked. After a deploy the record names this source.',
  },
  DT3116: {
    status: 5,
    title: 'not confirmed',
    text: 'The question was answered with no, so nothing was changed.',
  },
  DT3117: {
    status: 0,
    title: 'repository refused by git',
    text: 'The folder is in a repository that git does not read, because it belongs to another user (as in many containers of CI), its `.git` leads nowhere, or git did not answer in time. The environment therefore belongs to the folder on this machine, and a deploy from elsewhere counts as another project.',
  },
  DT3120: {
    status: 6,
    title: 'timed out',
    text: 'Not everything was ready within --timeout. What was applied stays; the message says what was waited for, and why.',
  },
  DT3121: {
    status: 130,
    title: 'interrupted',
    text: 'The command was interrupted. What was applied stays; run it again to continue.',
  },
  DT3130: {
    status: 0,
    title: 'replicas managed elsewhere',
    text: 'An autoscaler or someone else manages the number of replicas, so it is left unchanged, whatever the file says. Remove `scale` from the file, or take the field over with --force-conflicts.',
  },
  DT3131: {
    status: 0,
    title: 'nothing to wait for',
    text: 'What was waited for cannot happen: no pods are requested, old pods are only replaced when they are deleted, or the rollout is paused or suspended. It counts as done.',
  },
  DT3132: {
    status: 0,
    title: 'warning of the API server',
    text: 'The API server accepted the object with a warning.',
  },
  DT3133: {
    status: 0,
    title: 'port not checked',
    text: 'Whether a port accepts connections is checked through the API server, which requires permission to create pods/portforward. Without it, a running container counts as healthy.',
  },
  DT3160: {
    status: 0,
    title: 'public port without a listener',
    text: 'With --wait, a service that has public ports and no health check is done when one of them accepts connections. Some of the others still refused them 3 seconds later, so their addresses answer with an error.',
  },
  DT3161: {
    status: 0,
    title: 'old version still serves',
    text: 'The new version of a service did not come up. Kubernetes keeps the pods of the old one until it does, so the service still answers, with the old version.',
  },
  DT3162: {
    status: 0,
    title: 'object not ready',
    text: 'With --wait, objects that commands made and that have a condition Ready or Available are waited for until everything else is done, and for 30 seconds more. Those that are not ready by then are named, with the message of the condition; the deploy goes on.',
  },
  DT3140: {
    status: 1,
    title: 'cluster differs',
    text: '`--diff` found differences between the cluster and what the command would leave there. The diff of a deploy names the Compose lines behind each change.',
  },
  DT3141: {
    status: 5,
    title: 'no such deployment',
    text: 'The environment has no deployment of that number, or none to go back to. The last ten deployments are remembered, and the plans of the last ten that ended well; `devtool history` lists them.',
  },
  DT3142: {
    status: 5,
    title: 'plan not kept',
    text: 'The plan of the deployment is not kept, so `rollback` and `deploy --atomic` cannot go back to it. Plans are kept of the last ten deployments of the whole environment that ended well, unless one is larger than 1 MB when compressed, or its Secret cannot be written.',
  },
  DT3143: {
    status: 5,
    title: 'unusable plan',
    text: 'The Secret with the plan of a deployment was changed, was written by a newer devtool, or names objects that are not those of the environment. Nothing of it is applied.',
  },
  DT3144: {
    status: 1,
    title: 'image is gone',
    text: 'An image of the deployment to go back to is no longer in its registry. Nothing was changed: push the image again, or deploy the commit it was built from.',
  },
  DT3150: {
    status: 1,
    title: 'repository not cloned',
    text: 'A repository that the manifest depends on could not be cloned. git runs with your own configuration and credentials, but never asks for a password.',
  },
  DT3151: {
    status: 1,
    title: 'dependency not deployed',
    text: 'A repository that the manifest depends on was cloned, but its own deploy failed.',
  },
  DT3153: {
    status: 7,
    title: 'dependency from another repository',
    text: 'The namespace has an environment with the name of the dependency, and it was deployed from another repository. It is not used as the dependency, and not replaced.',
  },
  DT3154: {
    status: 5,
    title: 'dependency not replaced',
    text: 'With --dependencies, a dependency that was deployed from another branch or commit is replaced only after a confirmation (--yes). It was not given, and nothing was deployed.',
  },
  DT3152: {
    status: 0,
    title: 'dependency cycle',
    text: 'A repository depends on itself, through others. It is already being deployed and is not deployed again.',
  },
  DT3171: {
    status: 0,
    title: 'unencrypted repository',
    text: 'The repository of a dependency is fetched over `http:` or `git:`, without encryption: anyone on the network path can change what is deployed, and read the credentials that are sent. Use HTTPS or SSH.',
  },
  DT3172: {
    status: 0,
    title: 'certificates are not checked',
    text: 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of all certificates: of the cluster, of registries and of builders. Anyone on the network path can read and change everything. Remove the variable; NODE_EXTRA_CA_CERTS and SSL_CERT_FILE name further authorities.',
  },
  DT3170: {
    status: 8,
    title: 'cluster too slow',
    text: 'A command that only reads did not get all that it needs from the API server within 30 seconds. Nothing was changed, and nothing is said about the environment, since half of the facts may be wrong. With --timeout, which waits for as long as it says, the exit status is 6.',
  },
} as const
