import { command } from '../command.ts'
import { contextFlags, yes } from '../flags/cluster.ts'
import { installationDiff, installationFlags } from '../flags/installation.ts'
import { progress } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { platformImage, platformImageThere } from '../platform-image.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

const { image } = installationFlags

export const platformUpgrade = command({
  name: 'platform upgrade',
  group: 'Platform',
  about: 'bring the platform of the cluster to this version',
  details: `
    Does what \`platform install\` does, with the settings of the installation, so only what this version of devtool changes is changed. To change a setting, run \`platform install\` again. An older version of devtool takes the platform back to that version.
  `,
  examples: [
    ['Bring it to this version', '$0 platform upgrade'],
    ['See what would change', '$0 platform upgrade --diff'],
    ['With an existing image', '$0 platform upgrade --image registry.example.com/devtool-platform:1.1'],
  ],
  words: {},
  flags: { image, ...contextFlags, yes, diff: installationDiff, timeout, progress },
  run: (given, call) =>
    inPlatform(call, given, given.diff ? 'Read' : 'Change', async ({ ports, signal, target }) => {
      const building = { call, context: given.context, ports, signal }
      const asked = { target, signal, interrupted: call.interruption() }
      if (given.diff) {
        const { previewUpgrade } = await import('../../app/install/preview.ts')
        const { showDiff } = await import('../view/platform.ts')
        return viewed(
          await previewUpgrade(ports)({ ...asked, imageFor: platformImageThere(building, given.image) }),
          showDiff,
        )
      }
      const { upgrade } = await import('../../app/install/upgrade.ts')
      const { showInstalled } = await import('../view/platform.ts')
      return viewed(await upgrade(ports)({ ...asked, imageFor: platformImage(building, given.image) }), showInstalled)
    }),
})
