/** Codes of installing a platform. */

export const installCodes = {
  DT6301: {
    status: 1,
    title: 'policies not in effect',
    text: 'The platform is confined by admission policies, which apply to the whole cluster. Before it leaves them in effect, devtool checks that other namespaces still work, and that the policies refuse what they should. One of these checks failed. Policies that were in effect before are put back as they were; those of a first installation are removed. The message says which request failed, and how.',
  },
  DT6302: {
    status: 7,
    title: 'name of the platform taken',
    text: 'An object that the platform needs exists already and was not made by an installation. It is not taken over.',
  },
  DT6303: {
    status: 5,
    title: 'cluster not suitable',
    text: 'The platform needs Kubernetes 1.30 or later and is installed by an administrator of the cluster: it creates roles and admission policies, and nobody can give rights that they do not have.',
  },
  DT6305: {
    status: 0,
    title: 'platform not ready for users',
    text: 'The platform can be installed, but something outside of it is missing before users can reach it, log in, or do all that it offers. The message says what; the installation goes on.',
  },
  DT6306: {
    status: 5,
    title: 'no platform',
    text: 'The command is about the platform of a cluster, and this cluster has none.',
  },
  DT6307: {
    status: 1,
    title: 'platform not working as it should',
    text: 'Pods of the platform are not ready, or admission policies that confine it are missing. The message says which.',
  },
  DT6304: {
    status: 5,
    title: 'no secret of the OIDC client',
    text: 'The platform proves to the issuer that it is the client that was registered there. A first installation needs the secret for that, in a file that --oidc-secret names; later ones keep it.',
  },
  DT6308: {
    status: 3,
    title: 'not a backup of a platform',
    text: 'The file has something that `devtool platform backup` does not write: another kind of object, another field, a role that is not one of the platform, or an object of a namespace that is not in the file. Nothing is restored, so that a file cannot bring anything else into the cluster. Whole objects may be taken out of the file, and a namespace with all that is in it.',
  },
  DT6309: {
    status: 7,
    title: 'backup and cluster differ',
    text: 'A restoration creates what the cluster does not have, and changes nothing that is there. An object of the backup is in the cluster with other content, belongs to something else, or is being deleted, so nothing is restored.',
  },
  DT6310: {
    status: 0,
    title: 'backup not complete',
    text: 'Something is not in the backup, or will not be as it was once it is restored. The message says what.',
  },
} as const
