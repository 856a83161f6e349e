import { command } from '../command.ts'
import { contextFlags, yes } from '../flags/cluster.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output, progress } from '../flags/output.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

export const platformGc = command({
  name: 'platform gc',
  group: 'Platform',
  about: 'delete leftovers of the platform that nobody needs any more',
  details: `
    Deletes access and tokens of users who do not exist, tokens and logins that have expired, records of runs that are not among the ten newest of their environment, and namespaces whose creation was never completed. It lists them and asks first; \`--dry-run\` only lists them. The platform deletes most of this by itself; what is left was interrupted, or comes from an account that was removed by hand. Objects that were changed since they were listed are not deleted. Volumes and workloads are never touched.
  `,
  examples: [
    ['See what would be deleted', '$0 platform gc --dry-run'],
    ['Delete it without a question', '$0 platform gc --yes'],
  ],
  words: {},
  flags: {
    ...contextFlags,
    yes,
    dryRun: flag('--dry-run', 'change nothing: list what would be deleted'),
    output: output(dataForms, 'text'),
    progress,
  },
  run: (given, call) =>
    inPlatform(call, given, given.dryRun ? 'Read' : 'Change', async ({ ports, signal, target }) => {
      const { collect } = await import('../../app/install/collect.ts')
      const { showCollected } = await import('../view/platform.ts')
      const asked = { target, isDryRun: given.dryRun, isConfirmed: given.yes, signal }
      return viewed(await collect(ports)(asked), (collected) => showCollected(given.output, collected))
    }),
})
