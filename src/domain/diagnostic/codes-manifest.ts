/** Codes of devtool.yml. */
const input = 3

export const manifestCodes = {
  DT1501: {
    status: input,
    title: 'two manifests',
    text: 'An environment is described by one manifest. Compose files may be given with it; they are merged over those that it names.',
  },
  DT1502: {
    status: input,
    title: 'not allowed here',
    text: 'The key is known, but not allowed in this place: devtool does not run the section `test`, and some fields of a development container apply only to the container itself, others only to the services beside it.',
  },
  DT1503: {
    status: input,
    title: 'image dependency cycle',
    text: 'These images depend on each other in a cycle through depends_on, so none of them can be built first.',
  },
  DT1504: {
    status: input,
    title: 'name conflict',
    text: 'Names of images, development containers and dependencies become part of object names and variables, where only lower-case letters, digits and dashes remain. These two names become the same.',
  },
  DT1505: {
    status: input,
    title: 'no such image',
    text: 'depends_on of an image names an entry of build that does not exist.',
  },
  DT1506: {
    status: input,
    title: 'reserved variable',
    text: 'DEVTOOL_NAMESPACE, DEVTOOL_CONTEXT, DEVTOOL_TOKEN, DEVTOOL_URL and DEVTOOL_NAME determine where a deploy goes and with which credentials. A dependency is deployed beside this environment under a name of its own, so they cannot be passed to it.',
  },
  DT1507: {
    status: input,
    title: 'invalid repository',
    text: 'A dependency is the URL of a git repository, or a mapping with the URL under `repository`. In a list, the name of a dependency is the last part of its URL.',
  },
  DT1508: {
    status: 0,
    title: 'no effect in this mode',
    text: 'With mode: hybrid the command runs on this machine, so settings of the container in the cluster are not used. Remove them, or use mode: sync.',
  },
  DT1509: {
    status: input,
    title: 'invalid mount',
    text: 'A synchronised folder is local:/remote, a volume is an absolute path in the container, an external volume is claim:/path or claim:subpath:/path, and a secret is local:/remote or local:/remote:mode. The remote path is absolute, not /, and used only once.',
  },
  DT1510: {
    status: input,
    title: 'invalid port forward',
    text: 'A forward is local:remote, local:service:remote, or a mapping with localPort, remotePort and either name or labels; the top-level section `forward` always names a service. A reverse is remote:local. Ports are between 1 and 65535; in the short form both may be ranges of the same length, such as 8080-8089:80-89.',
  },
  DT1511: {
    status: input,
    title: 'incomplete',
    text: 'The mapping lacks a required key, or has two keys that exclude each other.',
  },
  DT1512: {
    status: 0,
    title: 'endpoints replaced',
    text: 'deploy.endpoints replaces the endpoints of the Compose files and of the manifest itself. Remove the one that is not meant.',
  },
  DT1513: {
    status: 0,
    title: 'commands not run',
    text: 'A dry run prints the objects of the Compose files. What the commands of the deploy section create is only known once they run, so the commands are listed instead.',
  },
  DT1514: {
    status: 0,
    title: 'nothing to deploy',
    text: 'The manifest has neither commands nor Compose files under deploy, nor services of its own.',
  },
  DT1515: {
    status: input,
    title: 'conflicting settings',
    text: 'Two settings of a development container contradict each other: the root user with runAsNonRoot, volumes or services without the persistent volume that holds them, a name beside a selector.',
  },
} as const
