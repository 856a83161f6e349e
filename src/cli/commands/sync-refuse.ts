import { command } from '../command.ts'
import { devName } from '../flags/dev.ts'
import { viewed } from '../view/view.ts'

export const syncRefuse = command({
  name: 'sync refuse',
  group: 'Environment',
  isSilent: true,
  about: 'restore the deleted files when `up` asks',
  details: `
    When one end deletes more than 20 files and more than a quarter of all within a minute, or everything there is, \`up\` asks before it deletes anything at the other end. This answers it from another terminal: what was deleted at one end is brought back from the other. If several questions are open, name the development container or the folder.
  `,
  examples: [
    ['The only question', '$0 sync refuse'],
    ['That of one development container', '$0 sync refuse api'],
  ],
  words: { which: devName },
  flags: {},
  run: async ({ which }, { cwd, ports }) => {
    const { answerDeletions } = await import('../../app/sync/answer.ts')
    const { showRefused } = await import('../view/sync.ts')
    return viewed(await answerDeletions(await ports())(cwd, which, 'Restore'), showRefused)
  },
})
