/** `platform install`. */
import type { Installed } from '../../app/install/install.ts'
import type { RenderedView } from './view.ts'

export const showInstalled = ({ fingerprint, namespace, url }: Installed): RenderedView => ({
  output: `${url}\n`,
  said: [
    `the platform is installed in namespace ${namespace}`,
    ...(fingerprint === undefined
      ? []
      : [`its certificate authority is sha256:${fingerprint}; users compare this at \`devtool context use ${url}\``]),
  ],
})
