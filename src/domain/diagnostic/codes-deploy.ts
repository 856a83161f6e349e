/** Codes of deploying: ownership, lock, record. */

export const deployCodes = {
  DT3101: {
    status: 7,
    title: 'object of another owner',
    text: 'An object of that name is in the namespace and belongs to another environment, another tool or nobody. It is never taken over: deploy into another namespace, rename the service, or delete the object.',
  },
  DT3102: {
    status: 7,
    title: 'field of another manager',
    text: 'Somebody else set a field to another value (server-side apply, field managers). The message names the manager and both values; --force-conflicts takes the fields.',
  },
  DT3103: {
    status: 7,
    title: 'changed meanwhile',
    text: 'An object was made, replaced or deleted by somebody else while it was being deployed. Run deploy again.',
  },
  DT3105: {
    status: 3,
    title: 'volume cannot be changed',
    text: 'The claim of a volume cannot become smaller, nor get another storage class or access mode. It holds data, so it is not replaced.',
  },
  DT3110: {
    status: 7,
    title: 'environment is locked',
    text: 'Another deploy or destroy of the environment runs. When its process is gone, its lock expires after 30 seconds without a sign of life; --break-lock takes it at once.',
  },
  DT3111: {
    status: 7,
    title: 'lock was lost',
    text: 'The lock of the environment could not be renewed for 20 seconds, or somebody else took it, so nothing more was changed. Run the command again.',
  },
  DT3112: {
    status: 1,
    title: 'record too large',
    text: 'The record of an environment is one ConfigMap, which holds about one megabyte. Split the environment.',
  },
  DT3113: {
    status: 1,
    title: 'record unreadable',
    text: 'The ConfigMap that remembers the environment was changed by somebody else, or written by a newer version.',
  },
  DT3120: {
    status: 6,
    title: 'time ran out',
    text: 'Not all was ready when --timeout was over. What was applied stays; the message says what was waited for and why.',
  },
  DT3121: {
    status: 130,
    title: 'interrupted',
    text: 'The command was interrupted. What was applied stays; running it again goes on from there.',
  },
  DT3130: {
    status: 3,
    title: 'replicas left to their holder',
    text: 'An autoscaler or somebody else holds the number of replicas, so it is left as it is, whatever the file says. Remove scale from the file, or take the field with --force-conflicts.',
  },
  DT3131: {
    status: 3,
    title: 'nothing to wait for',
    text: 'What was waited for cannot happen: no pod is asked for, or pods are only replaced when they are deleted. It counts as done.',
  },
  DT3132: {
    status: 3,
    title: 'warning of the API server',
    text: 'The API server took the object and has something to say about it.',
  },
  DT3133: {
    status: 3,
    title: 'port cannot be tried',
    text: 'Whether a port answers is tried through the API server, which needs the right to create pods/portforward. Without it a running container counts as healthy.',
  },
  DT3140: {
    status: 1,
    title: 'cluster differs',
    text: 'deploy --diff found that the cluster is not what the file says. The diff names the Compose lines behind each change.',
  },
  DT3150: {
    status: 1,
    title: 'repository not cloned',
    text: 'A repository that the manifest depends on could not be cloned. git is run as you would run it, with your own credentials, but asks for no password.',
  },
  DT3151: {
    status: 1,
    title: 'dependency not deployed',
    text: 'A repository that the manifest depends on was cloned, and its own deploy failed.',
  },
  DT3152: {
    status: 0,
    title: 'dependencies in a ring',
    text: 'A repository depends, through others, on itself. It is being deployed already and is not deployed once more.',
  },
} as const
