/** Codes of the API server. */

export const clusterCodes = {
  DT3001: {
    status: 8,
    title: 'cluster not reached',
    text: 'The API server did not respond, or the connection broke and could not be restored in time.',
  },
  DT3002: {
    status: 4,
    title: 'credentials not accepted',
    text: 'The API server does not accept the credentials: a token or certificate is wrong or has expired.',
  },
  DT3003: {
    status: 4,
    title: 'not allowed',
    text: 'The API server knows who is asking but denies the request, by its access rules or by an admission check. The message names the verb and the object.',
  },
  DT3004: {
    status: 8,
    title: 'API server overloaded or failing',
    text: 'The API server kept answering that it is too busy or that it failed, through all retries: it could not finish a request in time, or an admission webhook did not respond. The message ends with its own words.',
  },
  DT3005: {
    status: 1,
    title: 'not found in the cluster',
    text: 'An object that is needed does not exist in the cluster.',
  },
  DT3006: {
    status: 1,
    title: 'rejected by the API server',
    text: 'The API server rejected the object for the reason given: it is not valid, or a quota, a limit or a policy of the cluster does not admit it.',
  },
  DT3007: { status: 130, title: 'interrupted', text: 'The command was interrupted while it waited for a response.' },
  DT3008: {
    status: 3,
    title: 'no kubeconfig',
    text: 'The kubeconfig does not exist, cannot be read, or is not a kubeconfig. It is taken from KUBECONFIG, else from ~/.kube/config; --kubeconfig names another file.',
  },
  DT3009: {
    status: 5,
    title: 'unknown context',
    text: 'The kubeconfig has no context of this name, no current context, or the cluster of the context is missing. `devtool context list` lists the contexts.',
  },
  DT3010: {
    status: 4,
    title: 'no credentials',
    text: 'The credentials that the kubeconfig describes cannot be loaded: a file is missing, or a credential plugin failed, timed out, or printed something unexpected.',
  },
  DT3011: {
    status: 0,
    title: 'connection to the cluster is not secure',
    text: "The kubeconfig disables verification of the API server's certificate, or does not use TLS at all: anyone on the network path can read and change everything, including credentials.",
  },
} as const
