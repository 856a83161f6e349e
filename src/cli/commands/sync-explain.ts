import { command } from '../command.ts'
import { must } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const syncExplain = command({
  name: 'sync explain',
  group: 'Environment',
  isSilent: true,
  about: 'show whether a path is synchronised, and by which rule',
  details: `
    The rules are those of the first of .devtoolignore (as .gitignore) and .stignore (as of Syncthing) in the folder that is synchronised; without either, dependency folders such as node_modules/ are left out. .git is left out unless a rule includes it. A path need not exist; with a slash at its end it is a folder.
  `,
  examples: [
    ['A file', '$0 sync explain dist/main.js'],
    ['A folder, as JSON', '$0 sync explain node_modules/ -o json'],
  ],
  words: { path: must('path', { offers: 'files' }) },
  flags: { output: output(dataForms, 'text') },
  run: async ({ output: form, path }, { cwd, ports }) => {
    const { explainSyncPath } = await import('../../app/sync/explain.ts')
    const { showExplained } = await import('../view/sync.ts')
    return viewed(await explainSyncPath(await ports())(cwd, path), (found) => showExplained(form, found))
  },
})
