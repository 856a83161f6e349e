import { command } from '../command.ts'
import { flag, must, rest } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const syncRestore = command({
  name: 'sync restore',
  group: 'Environment',
  about: 'give back files that synchronisation overwrote or deleted here',
  details: `
    Takes the newest copy of a file, of every file in a folder, or the copy with a name that \`devtool sync kept\` shows. A file that is there with another content is left, unless \`--overwrite\` is given: then it is kept as well before it is replaced. While \`up\` runs, what is restored also goes to the container.
  `,
  examples: [
    ['The newest copy of a file', '$0 sync restore src/main.ts'],
    ['Everything that was deleted in a folder', '$0 sync restore src'],
    ['A certain copy, in the place of what is there', '$0 sync restore 1795388400000/src/main.ts --overwrite'],
  ],
  words: { path: must('path', { offers: 'files' }), more: rest('path', { offers: 'files' }) },
  flags: {
    overwrite: flag('--overwrite', 'replace files that are there, after a copy of them is kept'),
    output: output(dataForms, 'text'),
  },
  run: async ({ more, output: form, overwrite, path }, { cwd, ports }) => {
    const { restoreKeptFiles } = await import('../../app/sync/kept.ts')
    const { showRestored } = await import('../view/sync.ts')
    const restored = await restoreKeptFiles(await ports())(cwd, [path, ...more], overwrite)
    return viewed(restored, (list) => showRestored(form, list))
  },
})
