import { command } from '../command.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const version = command({
  name: 'version',
  group: 'Help',
  about: 'print the version',
  details: `
    With \`-o json\` or \`-o yaml\`, it prints a document that also has the commit and its date, the version of Node and the platform.

    With \`--check\` it also says which version is the newest, according to the releases at the address in DEVTOOL_RELEASE_URL. No other address is contacted, and never without this flag.
  `,
  examples: [
    ['The installed version', '$0 version'],
    ['The same as JSON', '$0 version -o json'],
    ['Whether there is a newer one', '$0 version --check'],
  ],
  isSilent: true,
  words: {},
  flags: { output: output(dataForms, 'text'), check: flag('--check', 'also ask which version is the newest') },
  run: async ({ check, output: form }, { env, ports, version: own }) => {
    if (check) {
      const { newestVersion } = await import('../../app/project/newest-version.ts')
      const { showNewest } = await import('../view/version.ts')
      const asked = await newestVersion(await ports())(env['DEVTOOL_RELEASE_URL'] ?? '')
      return viewed(asked, ({ newest }) => showNewest(form, own, newest))
    }
    if (form === 'text') return { findings: [], output: `${own}\n` }
    const { showVersion } = await import('../view/version.ts')
    return { findings: [], output: showVersion(form, own) }
  },
})
