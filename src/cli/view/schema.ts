/** `schema --install`: what was written. */
import type { InstalledSchemas } from '../../app/project/install-schemas.ts'
import { listed } from '../../domain/text/listed.ts'
import type { RenderedView } from './view.ts'

export const showInstalledSchemas = ({ files }: InstalledSchemas): RenderedView => ({
  said: [
    `wrote ${listed(files)}`,
    'VS Code checks the files of this folder with its extension YAML (redhat.vscode-yaml)',
  ],
})
