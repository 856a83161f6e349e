/** `platform install`. */
import type { Installed } from '../../app/install/install.ts'
import type { RenderedView } from './view.ts'

export const showInstalled = ({ namespace, url }: Installed): RenderedView => ({
  output: `${url}\n`,
  said: [`the platform is installed in namespace ${namespace}`],
})
