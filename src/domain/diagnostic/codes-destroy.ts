/** Codes of destroying. */

export const destroyCodes = {
  DT3301: {
    status: 6,
    title: 'not gone in time',
    text: 'Objects were told to go and are still there. What holds one back is a finalizer: something that has to be done first by the controller that set it. The message names both.',
  },
  DT3302: {
    status: 130,
    title: 'destroy interrupted',
    text: 'The command was interrupted. What was deleted is gone; running it again goes on from there.',
  },
  DT3303: {
    status: 5,
    title: 'not confirmed',
    text: 'destroy --all deletes everything in a namespace, whoever made it, so it asks first. --yes answers.',
  },
  DT3304: {
    status: 4,
    title: 'kinds not looked for',
    text: 'The objects of an environment are looked for among all kinds of the cluster. Some may not be listed with these credentials.',
  },
  DT3305: {
    status: 1,
    title: 'left outside the namespace',
    text: 'Commands of the manifest made objects in other namespaces or for the whole cluster. Others may depend on them, so they are left; the commands that remove them are printed.',
  },
  DT3306: {
    status: 1,
    title: 'volume in use',
    text: 'A pod that does not belong to the environment uses the volume, so it is kept.',
  },
  DT3307: {
    status: 1,
    title: 'release of somebody else',
    text: 'A command of the manifest upgraded a Helm release that was installed by somebody else. What the upgrade created is deleted, all other objects of the release stay.',
  },
  DT3308: {
    status: 7,
    title: 'made anew meanwhile',
    text: 'Objects of the environment came back each time they were deleted. Something else makes them: an operator, another pipeline, a deploy from elsewhere.',
  },
} as const
