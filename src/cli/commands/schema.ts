import { command } from '../command.ts'
import { mayBe } from '../flags/flag.ts'

const schemas = ['compose', 'manifest'] as const

export const schema = command({
  name: 'schema',
  group: 'Help',
  about: 'print the JSON Schema of Compose files or of devtool.yml, for editors',
  details: `
    The schema describes every field that \`deploy\` reads. \`compose\`, the default, is for Compose files, \`manifest\` for devtool.yml.
  `,
  examples: [
    ['Write it to a file for an editor', '$0 schema > compose.schema.json'],
    ['The schema of devtool.yml', '$0 schema manifest > devtool.schema.json'],
  ],
  isSilent: true,
  words: { form: mayBe('schema', schemas, 'compose') },
  flags: {},
  run: async ({ form }) => {
    const { showSchema } = await import('../view/schema.ts')
    return { findings: [], output: showSchema(form) }
  },
})
