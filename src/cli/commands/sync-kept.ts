import { command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const syncKept = command({
  name: 'sync kept',
  group: 'Environment',
  isSilent: true,
  about: 'list files that synchronisation overwrote or deleted here',
  details: `
    Before a change in the container overwrites or deletes a file of this machine, a copy of it is kept: for 7 days, and at most 1 GiB for each folder. With a path, only copies of files at or below it are listed. No cluster is contacted.
  `,
  examples: [
    ['All of this folder', '$0 sync kept'],
    ['Of one file, as JSON', '$0 sync kept src/main.ts -o json'],
  ],
  words: { path: may('path', { offers: 'files' }) },
  flags: { output: output(dataForms, 'text') },
  run: async ({ output: form, path }, { cwd, ports }) => {
    const { listKeptFiles } = await import('../../app/sync/kept.ts')
    const { showKept } = await import('../view/sync.ts')
    const found = await ports()
    const listed = await listKeptFiles(found)(cwd, path)
    return viewed(listed, (list) => showKept(form, list, found.clock.date()))
  },
})
