import { command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { viewed } from '../view/view.ts'

export const login = command({
  name: 'login',
  group: 'Contexts',
  about: 'log in to a platform',
  details: `
    The same as \`context use URL\`, but it logs in again even if there is a login. Without a URL, it is the platform of the selected context.
  `,
  examples: [
    ['A platform', '$0 login https://devtool.example.com'],
    ['Again, at the platform that is in use', '$0 login'],
  ],
  words: { url: may('url', { offers: 'contexts' }) },
  flags: {},
  run: async ({ url }, { env, interruption, ports }) => {
    const { logIn } = await import('../../app/context/login.ts')
    const { showContextUsed } = await import('../view/context.ts')
    return viewed(await logIn(await ports())(url, env, interruption()), showContextUsed)
  },
})
