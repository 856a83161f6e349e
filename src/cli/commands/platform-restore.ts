import { STDIN } from '../../domain/text/source.ts'
import type { Ports } from '../../ports/ports.ts'
import { command } from '../command.ts'
import { contextFlags, yes } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'
import { progress } from '../flags/output.ts'
import type { Outcome } from '../outcome.ts'
import { inPlatform } from '../platform-target.ts'
import type { Connected } from '../target.ts'
import { viewed } from '../view/view.ts'

export const platformRestore = command({
  name: 'platform restore',
  group: 'Platform',
  about: 'create the users and namespaces of a backup that the platform does not have',
  details: `
    Reads FILE, or standard input for \`-\`, as \`platform backup\` wrote it, and creates what the cluster does not have. Nothing that exists is changed: if an object of the backup exists with other content, nothing is created. Run it again after an interruption. A file with unknown content is refused, and the admission policies of the platform apply to what it creates.

    The platform is installed first, with the same issuer and the same domain. API tokens and logins of the command line then keep working, and administrators, members and disabled users are those of the backup. Users log in to the pages again, and deploy again what ran in their namespaces. A token that was revoked after the backup was written is valid again.
  `,
  examples: [['Bring back what was lost, or move to another cluster', '$0 platform restore platform.yaml']],
  words: { file: must('file', { offers: 'files' }) },
  flags: { ...contextFlags, yes, progress },
  run: (given, call) => {
    const file = given.file === '-' ? STDIN : given.file
    const run = async ({ ports, signal, target }: Connected): Promise<Outcome> => {
      const { restore } = await import('../../app/install/restore.ts')
      const { showRestored } = await import('../view/platform.ts')
      return viewed(await restore(ports)({ target, file, signal }), showRestored)
    }
    // Standard input can be read only once.
    const isSound = (ports: Ports) => () => async () => {
      const { backupIn } = await import('../../app/install/restore.ts')
      return backupIn(ports, file)()
    }
    return inPlatform(call, given, 'Change', run, file === STDIN ? {} : { isSound })
  },
})
