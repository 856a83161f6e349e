/** Codes of contexts, sessions and questions. */

export const contextCodes = {
  DT2101: {
    status: 5,
    title: 'no terminal for a question',
    text: 'The command has to ask a question, but there is no terminal to ask it on. The message names the flag that answers it.',
  },
  DT2102: {
    status: 5,
    title: 'unknown cluster',
    text: 'A command was about to change a cluster that has not been changed from this machine before. Confirm that it is the right one: answer the question, pass --yes, or name the context with --context or DEVTOOL_CONTEXT. A cluster is identified by the uid of its namespace kube-system; known clusters are kept in context/clusters.json in the devtool folder.',
  },
  DT2103: { status: 130, title: 'question cancelled', text: 'A question was cancelled with Ctrl-C.' },
  DT2104: {
    status: 5,
    title: 'devtool folder not usable',
    text: 'Contexts are kept in $HOME/.devtool, or in the folder that DEVTOOL_HOME names. It cannot be used: HOME is not set, it is not writable, a file in it is not a regular file or larger than 16 MiB, or a change would be written through a symbolic link, which could expose tokens to others.',
  },
  DT2105: {
    status: 3,
    title: 'damaged file',
    text: 'A file in the devtool folder cannot be parsed. It was left unchanged; repair it at the place given, or move it away to start afresh.',
  },
  DT2106: {
    status: 7,
    title: 'file in use',
    text: 'Another devtool process is changing the same file, or writing manifests into the same folder, and did not finish in time. If none is running, remove the lock file given in the message.',
  },
  DT2107: {
    status: 5,
    title: 'platform required',
    text: 'This needs a platform, and the context is a plain cluster. The message says what to use there instead; `devtool context use URL` logs in at a platform.',
  },
  DT2108: {
    status: 5,
    title: 'no such context',
    text: 'Neither the stored contexts nor the kubeconfig have a context of this name, or no context is selected. `devtool context list` lists the contexts, `devtool context use NAME` selects one.',
  },
  DT2109: {
    status: 5,
    title: 'no such namespace',
    text: 'The namespace does not exist in the cluster. It is not created automatically, since that often requires more permissions: the message shows the command that creates it.',
  },
  DT2110: {
    status: 8,
    title: 'platform not reachable',
    text: 'The platform at this address cannot be reached, or what answers there is not a platform. The address is that of its pages, without a path.',
  },
  DT2111: {
    status: 8,
    title: 'certificate of the platform not trusted',
    text: 'The certificate of the platform is signed by an authority that this machine does not know, or is another one than was confirmed before. On a terminal, `devtool context use URL` shows its fingerprint and asks whether to trust it; compare it with what an administrator of the platform says. In scripts, name a file with the authority in SSL_CERT_FILE.',
  },
  DT2112: {
    status: 5,
    title: 'no repository to deploy',
    text: 'Pipelines and previews deploy a repository that the platform clones by HTTPS. Run the command in a clone whose remote is such a repository (its address may be one for SSH), or name it with --repository. Only what was pushed is deployed.',
  },
  DT2113: {
    status: 5,
    title: 'namespace being deleted',
    text: 'The namespace is being deleted, so nothing can be created in it: the command ends before it builds or changes anything. If the deletion does not end, `kubectl get namespace NAME -o yaml` tells what it waits for. `destroy` and `down` still work.',
  },
} as const
