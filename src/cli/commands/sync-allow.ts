import { command } from '../command.ts'
import { devName } from '../flags/dev.ts'
import { viewed } from '../view/view.ts'

export const syncAllow = command({
  name: 'sync allow',
  group: 'Environment',
  isSilent: true,
  about: 'confirm the deletions that `up` asks about',
  details: `
    When one end deletes more than 20 files and more than a quarter of all within a minute, or everything there is, \`up\` asks before it deletes anything at the other end. This answers it from another terminal: what was deleted at one end is deleted at the other, too. Copies of files of this machine are kept for 7 days. If several questions are open, name the development container or the folder.
  `,
  examples: [
    ['The only question', '$0 sync allow'],
    ['That of one development container', '$0 sync allow api'],
  ],
  words: { which: devName },
  flags: {},
  run: async ({ which }, { cwd, ports }) => {
    const { answerDeletions } = await import('../../app/sync/answer.ts')
    const { showAllowed } = await import('../view/sync.ts')
    return viewed(await answerDeletions(await ports())(cwd, which, 'Carry'), showAllowed)
  },
})
