import { command } from '../command.ts'
import { flag, must, rest } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const syncRestore = command({
  name: 'sync restore',
  group: 'Environment',
  about: 'restore files that synchronisation overwrote or deleted here',
  details: `
    Takes the newest copy of a file, of every file in a folder, or the copy with a name that \`devtool sync kept\` shows. An existing file with another content is not replaced, unless \`--overwrite\` is given: then a copy of it is kept first. While \`up\` runs, what is restored also goes to the container.
  `,
  examples: [
    ['The newest copy of a file', '$0 sync restore src/main.ts'],
    ['Everything that was deleted in a folder', '$0 sync restore src'],
    ['A certain copy, instead of the present file', '$0 sync restore 1795388400000/src/main.ts --overwrite'],
  ],
  words: { path: must('path', { offers: 'files' }), more: rest('path', { offers: 'files' }) },
  flags: {
    overwrite: flag('--overwrite', 'replace existing files, after keeping copies of them'),
    output: output(dataForms, 'text'),
  },
  run: async ({ more, output: form, overwrite, path }, { cwd, ports }) => {
    const { restoreKeptFiles } = await import('../../app/sync/kept.ts')
    const { showRestored } = await import('../view/sync.ts')
    const restored = await restoreKeptFiles(await ports())(cwd, [path, ...more], overwrite)
    return viewed(restored, (list) => showRestored(form, list))
  },
})
