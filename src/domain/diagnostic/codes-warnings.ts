/** Codes of warnings and notes. A warning becomes an error only under `--strict`; then the status counts. */
const input = 3

/** Known but changed or without effect: never errors, except under `--strict`. */
export const warningCodes = {
  DT1101: {
    status: input,
    title: 'host volume',
    text: 'A folder or file of this machine is not on the nodes of a cluster, so it is not mounted. Put files into the image, use configs: for configuration, or a named volume for data.',
  },
  DT1102: {
    status: input,
    title: 'no effect',
    text: 'Compose knows the field, and Kubernetes has nothing that does the same. The rest of the service is translated without it. docs/compose.md lists all fields.',
  },
  DT1103: {
    status: input,
    title: 'changed name',
    text: 'Names in Kubernetes are DNS labels: lower-case letters, digits and -, beginning with a letter, at most 63 characters. The name was changed to one, and only the changed name resolves.',
  },
  DT1104: {
    status: input,
    title: 'credential in the manifests',
    text: 'A variable whose name looks like a credential has a value, and environment variables stand in the manifests as they are. Secrets do not: use secrets: and let the program read the file.',
  },
  DT1105: {
    status: input,
    title: 'port stays private',
    text: 'Ports of databases and debuggers are never made public through ports, and an Ingress carries only TCP. endpoints: makes a port public on purpose.',
  },
  DT1106: {
    status: input,
    title: 'changed health check',
    text: 'A probe counts whole seconds, at least one, and needs at least one try.',
  },
  DT1107: {
    status: input,
    title: 'alias is taken',
    text: 'A further name of a service is the name of another service, which keeps it.',
  },
  DT1108: {
    status: input,
    title: 'no shell',
    text: 'A command that is written as one text is split into words but not run by a shell, so ; & | < > are ordinary characters. Write ["sh", "-c", "…"] to run a shell.',
  },
  DT1109: {
    status: input,
    title: 'cannot be emptied',
    text: 'An empty command or entrypoint takes that of the image away in Compose. Kubernetes cannot say so: name the program to run instead.',
  },
  DT1110: {
    status: input,
    title: 'different on Kubernetes',
    text: 'The field is translated only in part, or works only where the cluster allows it.',
  },
  DT1111: {
    status: input,
    title: 'unusual variable name',
    text: 'Kubernetes before 1.32 takes only letters, digits, _, . and - in the name of a variable, not beginning with a digit.',
  },
  DT1112: {
    status: input,
    title: 'label that cannot be an annotation',
    text: 'The key of an annotation is [prefix/]name, with at most 63 characters of letters, digits, -, _ and . in the name. Labels with other keys are kept together, as JSON, in the annotation dev.devtool/labels.',
  },
  DT1150: {
    status: input,
    title: 'escalation cannot be forbidden',
    text: 'Kubernetes refuses to forbid privilege escalation to a container that is privileged.',
  },
  DT1153: {
    status: input,
    title: 'update_config without effect',
    text: 'How a workload is updated is decided by its kind or by the annotation dev.devtool/update.',
  },
  DT1155: {
    status: input,
    title: 'changed port name',
    text: 'The name of a port has at most 15 lower-case letters, digits and dashes, with at least one letter, and is unique in its service.',
  },
} as const

export const noteCodes = {
  DT1204: {
    status: input,
    title: 'Secrets left out',
    text: 'The values of Secrets are not printed unless --show-secrets asks for them, so that they end up in no log and no golden file. Pods that mount a Secret wait until it exists.',
  },
  DT1201: {
    status: 0,
    title: 'inferred port',
    text: 'Another service names the port, or the Dockerfile exposes it, so the service gets it as a private port. List it under expose: to make it explicit.',
  },
  DT1202: {
    status: 0,
    title: 'no domain',
    text: 'Public hosts end in a domain. Without one it is localhost, which serves local clusters whose Ingress is mapped to this machine. Set one with --domain or DEVTOOL_DOMAIN.',
  },
  DT1203: {
    status: 0,
    title: 'no namespace',
    text: 'The manifests name no namespace, so that they can be applied to any; host names say default. Set one with --namespace or DEVTOOL_NAMESPACE.',
  },
} as const
