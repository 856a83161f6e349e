/** Codes of warnings and notes, which are errors only with `--strict`. */

/** For input that is recognised but changed or without effect: never an error, except with `--strict`. */
export const warningCodes = {
  DT1101: {
    status: 0,
    title: 'host volume',
    text: 'A folder or file of this machine does not exist on the nodes of a cluster, so it is not mounted. Copy files into the image, use configs: for configuration, or a named volume for data. With --host-files=config, files of the project and folders that are mounted read-only become ConfigMaps.',
  },
  DT1102: {
    status: 0,
    title: 'no effect',
    text: 'This is a valid Compose field, but Kubernetes has no equivalent. The rest of the service is translated without it. docs/compose.md lists all fields.',
  },
  DT1103: {
    status: 0,
    title: 'name changed',
    text: 'Names in Kubernetes are DNS labels: lower-case letters, digits and dashes, beginning with a letter, at most 63 characters. The name was changed to fit, and as it was written it does not resolve.',
  },
  DT1104: {
    status: 0,
    title: 'credential in the manifests',
    text: 'A variable whose name looks like a credential has a value, and environment variables appear in the manifests in plain text. Use secrets: instead and have the program read the file.',
  },
  DT1105: {
    status: 0,
    title: 'port stays private',
    text: 'Ports of databases and debuggers are never made public through `ports`. Use `endpoints` to make a port public on purpose.',
  },
  DT1106: {
    status: 0,
    title: 'health check adjusted',
    text: 'A probe counts in whole seconds, at least one, and needs at least one try.',
  },
  DT1107: {
    status: 0,
    title: 'alias already used',
    text: 'An alias of this service is the name of another service, which keeps it.',
  },
  DT1108: {
    status: 0,
    title: 'no shell',
    text: 'A command written as a string is split into words but not run by a shell, so ; & | < > are ordinary characters. Write ["sh", "-c", "..."] to run a shell.',
  },
  DT1109: {
    status: 0,
    title: 'cannot be emptied',
    text: 'In Compose, an empty command or entrypoint clears the one of the image. Kubernetes cannot express that: name the program to run instead.',
  },
  DT1110: {
    status: 0,
    title: 'different on Kubernetes',
    text: 'The field is only partly translated, or only works where the cluster allows it.',
  },
  DT1111: {
    status: 0,
    title: 'unusual variable name',
    text: 'Before version 1.32, Kubernetes only accepts letters, digits, _, . and - in variable names, and no digit at the start.',
  },
  DT1112: {
    status: 0,
    title: 'label not valid as an annotation',
    text: 'An annotation key is [prefix/]name, where the name has at most 63 letters, digits, -, _ and dots. Labels with other keys are kept together, as JSON, in the annotation dev.devtool/labels.',
  },
  DT1120: {
    status: 0,
    title: 'nothing uses it',
    text: 'The file defines a volume, config or secret that no service mounts, so no object is made for it. Mount it, or remove it.',
  },
  DT1121: {
    status: 0,
    title: 'value not used',
    text: 'The same list gives a second value under the same name, path or port, and the last one is used. Remove one of the two.',
  },
  DT1122: {
    status: 0,
    title: 'health cannot be seen',
    text: 'depends_on waits for service_healthy, but the service has neither a health check nor a TCP port, so devtool only waits until its container runs. Add a healthcheck:, or list its port under expose:.',
  },
  DT1123: {
    status: 0,
    title: 'unlikely size',
    text: 'The size is so small or so large that its unit is probably wrong. In `resources`, sizes are Kubernetes quantities, where m means a thousandth: write 64Mi. Elsewhere a number without a unit is bytes: write 2g.',
  },
  DT1124: {
    status: 0,
    title: 'health check by name',
    text: 'The health check reaches its own service by name, or a service that waits for it. A Service only routes to ready pods, so the check could never succeed; therefore this Service also publishes pods that are not ready, and a second one, named SERVICE-ready, serves the Ingress. Use localhost in the check to avoid this.',
  },
  DT1125: {
    status: 0,
    title: 'host file left out',
    text: 'With --host-files=config, files of the project that services mount become ConfigMaps, which everybody who may read the namespace can read. Private keys, key stores, archives, credentials and .env files are therefore left out, and so is what git or .dockerignore ignores. Use secrets: for keys and credentials.',
  },
  DT1128: {
    status: 0,
    title: 'no isolation by networks',
    text: 'Compose lets only services that share a network reach each other, and gives internal networks no access to the outside. On Kubernetes all pods reach each other and the outside, whatever networks the file defines. A NetworkPolicy restricts that, in clusters that enforce it.',
  },
  DT1126: {
    status: 0,
    title: 'not carried by an Ingress',
    text: 'A published port becomes public through an Ingress, which carries HTTP and sends it to the pod unencrypted. Ports of other transports (UDP, SCTP) stay private. A TCP port that is known for another protocol (22, 443, 5672, 9092 and others) gets an Ingress, which does not reach it: leave out the published port, and use kubectl port-forward or a Service of type LoadBalancer. If such a port does speak HTTP, `app_protocol: http` in its long notation ends this warning.',
  },
  DT1127: {
    status: 0,
    title: 'server becomes a Job',
    text: 'A restart policy other than always makes a service a Job, which is complete as soon as its program ends without an error, and is not started again. A service with a health check or with ports, be they its own or named by other services (`queue:5672`), is usually a server: give it `restart: always` or `unless-stopped`.',
  },
  DT1140: {
    status: 0,
    title: 'empty volume over installed files',
    text: 'Docker copies what the image has at the target into a new volume; a claim of Kubernetes begins empty. A volume at a folder of installed packages, such as node_modules or vendor, therefore hides them from the program. Such volumes mostly serve development with a host volume beside them: remove them, or give a named volume `x-devtool-volume-init: true`, which copies the content of the image while the volume is empty.',
  },
  DT1150: {
    status: 0,
    title: 'privilege escalation',
    text: 'Kubernetes does not accept allowPrivilegeEscalation: false for a privileged container.',
  },
  DT1153: {
    status: 0,
    title: 'update_config has no effect',
    text: 'How a workload is updated depends on its kind and on the annotation dev.devtool/update.',
  },
  DT1155: {
    status: 0,
    title: 'port name changed',
    text: 'A port name has at most 15 lower-case letters, digits and dashes, with at least one letter, and is unique within its service.',
  },
} as const

export const noteCodes = {
  DT1204: {
    status: 0,
    title: 'Secrets left out',
    text: 'The values of Secrets are only printed with --show-secrets, so that they do not end up in logs or golden files. Pods that mount a Secret wait until it exists.',
  },
  DT1201: {
    status: 0,
    title: 'inferred port',
    text: 'Another service refers to this port, or the Dockerfile exposes it, so it was added as a private port. List it under expose: to make it explicit.',
  },
  DT1202: {
    status: 0,
    title: 'no domain',
    text: 'Public host names end in a domain. Without one it is localhost, which works for local clusters whose Ingress is mapped to this machine. Set one with --domain or DEVTOOL_DOMAIN.',
  },
  DT1206: {
    status: 0,
    title: 'Job because another service waits for it',
    text: 'A service waits for the completion of this one (service_completed_successfully), which has no restart policy of its own. It becomes a Job that runs once, as with restart: "no".',
  },
  DT1207: {
    status: 0,
    title: 'shared alias',
    text: 'Several services have this alias on the same network. It becomes a headless Service, which resolves to the pods of all of them, ready or not, as under Compose.',
  },
  DT1203: {
    status: 0,
    title: 'no namespace',
    text: 'The manifests have no namespace, so that they can be applied to any; host names use default. Set one with --namespace or DEVTOOL_NAMESPACE.',
  },
} as const
