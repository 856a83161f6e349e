/** Codes of devtool.yml. */
const input = 3

export const manifestCodes = {
  DT1501: {
    status: input,
    title: 'two manifests',
    text: 'One manifest describes an environment. Compose files may be given beside it; they are merged over those that it names.',
  },
  DT1502: {
    status: input,
    title: 'not possible here',
    text: 'The key is known, but not in this place: the section `test` is not carried out by devtool, and some fields of a development container belong to the container itself, not to the services beside it, or the other way round.',
  },
  DT1503: {
    status: input,
    title: 'images wait for each other',
    text: 'The images in the ring are built after each other by their depends_on, so none of them could ever be first.',
  },
  DT1504: {
    status: input,
    title: 'two entries of one name',
    text: 'Names of images, development containers and dependencies become part of object names and variables, where only lower-case letters, digits and - are left of them. Two names that are the same then cannot be told apart.',
  },
  DT1505: {
    status: input,
    title: 'no such image',
    text: 'depends_on of an image names another entry of build, and there is none of that name.',
  },
  DT1506: {
    status: input,
    title: 'reserved variable',
    text: 'DEVTOOL_NAMESPACE, DEVTOOL_CONTEXT, DEVTOOL_TOKEN, DEVTOOL_URL and DEVTOOL_NAME say where a deploy goes and who asks for it. A dependency is deployed beside this environment, with a name of its own, so they cannot be given to it.',
  },
  DT1507: {
    status: input,
    title: 'no repository',
    text: 'A dependency is the URL of a git repository, or a mapping that has it under repository. The name of a dependency in a list is the last part of the URL.',
  },
  DT1508: {
    status: input,
    title: 'no effect in this mode',
    text: 'With mode: hybrid the command runs on this machine, so what describes the container in the cluster is not used. Remove it, or use mode: sync.',
  },
  DT1509: {
    status: input,
    title: 'no mount',
    text: 'A folder that is synchronized is local:/remote, a volume is an absolute path in the container, an external volume is claim:/path or claim:subpath:/path, and a secret is local:/remote or local:/remote:mode. The remote path is absolute and not /, and each is used once.',
  },
  DT1510: {
    status: input,
    title: 'no port forward',
    text: 'A forward is local:remote, local:service:remote, or a mapping with localPort, remotePort and either name or labels; the section forward at the top level always names a service. A reverse is remote:local. Ports are from 1 to 65535.',
  },
  DT1511: {
    status: input,
    title: 'incomplete',
    text: 'The mapping lacks a key without which it says nothing, or has two that exclude each other.',
  },
  DT1512: {
    status: input,
    title: 'endpoints replaced',
    text: 'deploy.endpoints stands in place of the endpoints of the Compose files and of the manifest itself. Remove the one that is not meant.',
  },
  DT1513: {
    status: 0,
    title: 'commands not run',
    text: 'A dry run prints what is made of the Compose files. What the commands of the deploy section would do is not known before they run, so they are named, and what they make is not printed.',
  },
  DT1514: {
    status: 0,
    title: 'nothing to deploy',
    text: 'The manifest has neither commands nor Compose files under deploy, nor services of its own.',
  },
  DT1515: {
    status: input,
    title: 'contradiction',
    text: 'Two settings of a development container cannot both be: the root user with runAsNonRoot, volumes or services without the persistent volume that holds them, a name beside a selector.',
  },
} as const
