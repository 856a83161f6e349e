/** Codes of contexts, sessions and questions. */

export const contextCodes = {
  DT2101: {
    status: 5,
    title: 'nobody to ask',
    text: 'The command has a question, and there is no terminal to ask it on. The message names the flag that answers it.',
  },
  DT2102: {
    status: 5,
    title: 'unknown cluster',
    text: 'A command that changes something was about to do so in a cluster that it was never used with. Say that it is the right one: answer the question, or give --yes, or name the context with --context or DEVTOOL_CONTEXT. A cluster is known by the uid of its namespace kube-system; known ones are in context/clusters.json of the folder of devtool.',
  },
  DT2103: { status: 130, title: 'question broken off', text: 'A question was left without an answer, by Ctrl-C.' },
  DT2104: {
    status: 5,
    title: 'folder of devtool not usable',
    text: 'Contexts are kept in $HOME/.devtool, or in the folder that DEVTOOL_HOME names. It cannot be used: there is no HOME, it may not be written, or it or a file in it is a symbolic link, which could lead tokens to a place that others read.',
  },
  DT2105: {
    status: 3,
    title: 'file of devtool damaged',
    text: 'A file in the folder of devtool cannot be understood. It was left as it is; repair it at the place that is named, or move it away and begin anew.',
  },
  DT2106: {
    status: 7,
    title: 'file of devtool in use',
    text: 'Another devtool is changing the same file, and did not finish in time. When none is running, remove the lock file that is named.',
  },
  DT2107: {
    status: 5,
    title: 'platform needed',
    text: 'What was asked for is done by the platform, which is not there, or whose contexts this version can store but not yet use. The message says what does the same on a plain cluster.',
  },
  DT2108: {
    status: 5,
    title: 'no such context',
    text: 'Neither the contexts that are stored nor the kubeconfig have a context of this name, or none is chosen. `devtool context list` shows what there is, `devtool context use NAME` chooses.',
  },
  DT2109: {
    status: 5,
    title: 'no such namespace',
    text: 'The namespace is not in the cluster. It is not made on the way, since that often needs other rights: the message has the command.',
  },
} as const
