import { schemaForms } from '../../domain/init/schema-forms.ts'
import { command } from '../command.ts'
import { flag, mayBe } from '../flags/flag.ts'
import { viewed } from '../view/view.ts'

export const schema = command({
  name: 'schema',
  group: 'Help',
  about: 'print the JSON Schema of Compose files or of devtool.yml, for editors',
  details: `
    The schema describes every field that \`deploy\` reads. \`compose\`, the default, is for Compose files, \`manifest\` for devtool.yml.

    With \`--install\` both schemas, or the one that is named, are written into the folder .vscode, and named in its settings, where other settings and comments stay as they are. Run it again after an upgrade of devtool.
  `,
  examples: [
    ['Write it to a file for an editor', '$0 schema > compose.schema.json'],
    ['The schema of devtool.yml', '$0 schema manifest > devtool.schema.json'],
    ['Have VS Code check the files of this folder', '$0 schema --install'],
  ],
  words: { form: mayBe('schema', schemaForms) },
  flags: { install: flag('--install', 'write the schemas and the settings of VS Code for this folder') },
  run: async ({ form, install }, { ports, version }) => {
    if (!install) {
      const { schemaText } = await import('../../domain/init/schemas.ts')
      return { findings: [], output: schemaText(form ?? 'compose', version) }
    }
    const { installSchemas } = await import('../../app/project/install-schemas.ts')
    const { showInstalledSchemas } = await import('../view/schema.ts')
    const forms = form === undefined ? schemaForms : [form]
    return viewed(await installSchemas(await ports())(forms, version), showInstalledSchemas)
  },
})
