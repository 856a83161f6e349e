/** Codes of destroying. */

export const destroyCodes = {
  DT3301: {
    status: 6,
    title: 'not deleted in time',
    text: 'Objects are marked for deletion but still exist. A finalizer holds them back: a step that the controller that set it has to do first. The message names both.',
  },
  DT3302: {
    status: 130,
    title: 'destroy interrupted',
    text: 'The command was interrupted. What was deleted is gone; run it again to continue.',
  },
  DT3303: {
    status: 5,
    title: 'not confirmed',
    text: 'destroy --all deletes everything in a namespace, no matter who created it, --volumes deletes data, and --dependencies destroys other environments, so destroy asks first. The answer was no.',
  },
  DT3180: {
    status: 0,
    title: 'destroy commands not run',
    text: 'Destroy commands run only from the manifest, in its folder: commands that the cluster recorded are printed, never run. Until they have run, the record of the environment and the variables of its last deploy stay; --skip-commands forgets them.',
  },
  DT3181: {
    status: 0,
    title: 'dependencies kept',
    text: 'The manifest has dependencies: environments of other repositories, deployed into the same namespace. Other environments may depend on them too, so destroy leaves them and names them.',
  },
  DT3304: {
    status: 0,
    title: 'some kinds not searched',
    text: 'The objects of an environment are searched for among all kinds of the cluster, some of which these credentials may not list.',
  },
  DT3305: {
    status: 0,
    title: 'left outside the namespace',
    text: 'Commands of the manifest created objects in other namespaces, or cluster-wide ones. Others may depend on them, so they are kept; the commands that remove them are printed.',
  },
  DT3306: {
    status: 0,
    title: 'volume in use',
    text: 'A pod that does not belong to the environment uses the volume, so it is kept.',
  },
  DT3307: {
    status: 0,
    title: 'Helm release of another owner',
    text: 'A command of the manifest upgraded a Helm release that it did not install. Objects created by the upgrade are deleted, all others of the release are kept.',
  },
  DT3308: {
    status: 7,
    title: 'recreated',
    text: 'Objects of the environment came back every time they were deleted. Something else recreates them: an operator, another pipeline, or a deploy from elsewhere.',
  },
} as const
