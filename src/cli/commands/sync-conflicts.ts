import { command } from '../command.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const syncConflicts = command({
  name: 'sync conflicts',
  group: 'Environment',
  isSilent: true,
  about: 'list files that were changed here and in the container',
  details: `
    The change of this machine stays at its path. The one of the container is kept beside it as NAME.conflict-XXXXXX, at both ends. A conflict is resolved when its copy is deleted or renamed. No cluster is contacted.
  `,
  examples: [
    ['Those of this folder', '$0 sync conflicts'],
    ['As JSON', '$0 sync conflicts -o json'],
  ],
  words: {},
  flags: { output: output(dataForms, 'text') },
  run: async ({ output: form }, { cwd, ports }) => {
    const { listConflicts } = await import('../../app/sync/kept.ts')
    const { showConflicts } = await import('../view/sync.ts')
    return viewed(await listConflicts(await ports())(cwd), (list) => showConflicts(form, list))
  },
})
