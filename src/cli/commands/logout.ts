import { command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { viewed } from '../view/view.ts'

export const logout = command({
  name: 'logout',
  group: 'Contexts',
  about: 'revoke the stored token of a platform, and delete it here',
  details: `
    Programs that use the cluster with this login, including kubectl, are refused within seconds. The other settings of the context stay. Without a URL, it is the platform of the selected context.
  `,
  examples: [['The platform that is in use', '$0 logout']],
  words: { url: may('url', { offers: 'contexts' }) },
  flags: {},
  run: async ({ url }, { env, interruption, ports }) => {
    const { logOut } = await import('../../app/context/logout.ts')
    const { showLoggedOut } = await import('../view/team.ts')
    return viewed(await logOut(await ports())(url, env, interruption()), showLoggedOut)
  },
})
