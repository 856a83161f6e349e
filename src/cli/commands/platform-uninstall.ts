import { command } from '../command.ts'
import { contextFlags, yes } from '../flags/cluster.ts'
import { progress } from '../flags/output.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

/** The cluster continues to delete by itself. */
const MOST_MS = 300_000

export const platformUninstall = command({
  name: 'platform uninstall',
  group: 'Platform',
  about: 'remove the platform from the cluster; users and their namespaces stay',
  details: `
    Removes the rights of the platform's programs, then its admission policies, then the namespaces \`devtool-builder\` and \`devtool-system\` with the programs, their keys, their certificates and the build cache. Users stay in the namespace \`devtool-users\`, and the namespaces of users with all that is in them; another \`platform install\` finds them. Until then nothing confines the members of these namespaces but RBAC.
  `,
  examples: [['Remove it', '$0 platform uninstall --yes']],
  words: {},
  flags: { ...contextFlags, yes, progress },
  run: (given, call) =>
    inPlatform(call, { ...given, timeout: MOST_MS }, 'Change', async ({ ports, signal, target }) => {
      const { uninstall } = await import('../../app/install/uninstall.ts')
      const { showUninstalled } = await import('../view/platform.ts')
      return viewed(await uninstall(ports)({ target, signal, isConfirmed: given.yes }), showUninstalled)
    }),
})
