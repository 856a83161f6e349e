/** Codes of the API server. */

export const clusterCodes = {
  DT3001: {
    status: 8,
    title: 'cluster not reached',
    text: 'Nobody answered at the address of the API server, or the connection broke off and did not come back in time.',
  },
  DT3002: {
    status: 4,
    title: 'credentials not accepted',
    text: 'The API server does not know who is asking: a token or certificate is wrong or has expired.',
  },
  DT3003: {
    status: 4,
    title: 'not allowed',
    text: 'The API server knows who is asking and refuses, by its access rules or by an admission check. The message names the verb and the object.',
  },
  DT3004: {
    status: 8,
    title: 'API server overloaded',
    text: 'The API server kept answering that it cannot do it now, however often it was asked.',
  },
  DT3005: { status: 1, title: 'not in the cluster', text: 'An object that is needed is not in the cluster.' },
  DT3006: {
    status: 1,
    title: 'refused by the API server',
    text: 'The API server checked the object and refused it, for the reason given.',
  },
  DT3007: { status: 130, title: 'broken off', text: 'The command was interrupted while it waited for an answer.' },
  DT3008: {
    status: 3,
    title: 'no kubeconfig',
    text: 'The kubeconfig is not there, cannot be read, or is no kubeconfig. Files are those of KUBECONFIG, else ~/.kube/config; --kubeconfig names another.',
  },
  DT3009: {
    status: 5,
    title: 'unknown context',
    text: 'The kubeconfig has no context of this name, no current context, or a context whose cluster it does not have. `devtool context list` shows what there is.',
  },
  DT3010: {
    status: 4,
    title: 'no credentials',
    text: 'The credentials that the kubeconfig describes cannot be had: a file is missing, or a credential plugin failed, hung, or printed something else.',
  },
  DT3011: {
    status: 3,
    title: 'the way to the cluster is not safe',
    text: 'The kubeconfig switches the check of the certificate of the API server off, or has no TLS at all: whoever is on the way can read and change everything, credentials too.',
  },
} as const
