import { command } from '../command.ts'
import { mayBe } from '../flags/flag.ts'

const schemas = ['compose', 'manifest'] as const

export const schema = command({
  name: 'schema',
  group: 'Help',
  about: 'print the JSON Schema of the Compose file or of the manifest, for editors',
  details: `
    It knows every field that \`deploy\` reads, with a description. \`compose\` is that of Compose files, and what is printed without an argument; \`manifest\` is that of devtool.yml.
  `,
  examples: [
    ['Keep it where an editor finds it', '$0 schema > compose.schema.json'],
    ['The one of devtool.yml', '$0 schema manifest > devtool.schema.json'],
  ],
  words: { form: mayBe('schema', schemas, 'compose') },
  flags: {},
  run: async ({ form }) => {
    const { schemaText } = await import('../../app/project/schema.ts')
    return { findings: [], output: schemaText(form) }
  },
})
