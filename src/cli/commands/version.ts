import { command } from '../command.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'

export const version = command({
  name: 'version',
  group: 'Help',
  about: 'print the version',
  details: `
    With \`-o json\` or \`-o yaml\`, it prints a document that also has the commit and its date, the version of Node and the platform.
  `,
  examples: [
    ['The installed version', '$0 version'],
    ['The same as JSON', '$0 version -o json'],
  ],
  isSilent: true,
  words: {},
  flags: { output: output(dataForms, 'text') },
  run: async ({ output: form }, call) => {
    if (form === 'text') return { findings: [], output: `${call.version}\n` }
    const { showVersion } = await import('../view/version.ts')
    return { findings: [], output: showVersion(form, call.version) }
  },
})
