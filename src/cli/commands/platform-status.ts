import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

export const platformStatus = command({
  name: 'platform status',
  group: 'Platform',
  about: 'show the platform of the cluster, and whether it works',
  details: `
    Shows where users reach the platform, how many of its pods are ready, and which admission policies are in effect. It ends with status 1 when pods are not ready or a policy is missing.
  `,
  examples: [['Whether it works', '$0 platform status']],
  words: {},
  flags: { ...contextFlags, output: output(dataForms, 'text') },
  run: (given, call) =>
    inPlatform(
      call,
      { ...given, yes: false, timeout: undefined, progress: 'auto' },
      'Read',
      async ({ signal, target }) => {
        const { statusOfPlatform } = await import('../../app/install/status.ts')
        const { showPlatformStatus } = await import('../view/platform.ts')
        return viewed(await statusOfPlatform(target, signal), (status) => showPlatformStatus(given.output, status))
      },
    ),
})
