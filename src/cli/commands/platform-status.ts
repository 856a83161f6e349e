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
    Shows where users reach the platform, how many pods of its API server, its controller and its builder are ready, and which admission policies are in effect. It ends with status 1 when pods are not ready, and says which and why, or when a policy is missing.
  `,
  examples: [['Whether it works', '$0 platform status']],
  words: {},
  flags: { ...contextFlags, output: output(dataForms, 'text') },
  run: (given, call) =>
    inPlatform(
      call,
      { ...given, yes: false, timeout: undefined, progress: 'auto' },
      'Read',
      async ({ ports, signal, target }) => {
        const { statusOfPlatform } = await import('../../app/install/status.ts')
        const { showPlatformStatus } = await import('../view/platform.ts')
        return viewed(await statusOfPlatform(ports, target, signal), (status) =>
          showPlatformStatus(given.output, status),
        )
      },
    ),
})
