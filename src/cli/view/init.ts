/** `init`: what the new manifest deploys. */
import type { WrittenManifest } from '../../app/project/init.ts'
import { methodTitle } from '../../domain/init/title.ts'
import type { RenderedView } from './view.ts'

export const showWrittenManifest = ({ file, languages, way }: WrittenManifest): RenderedView => {
  const dev = languages.length === 0 ? '' : `, with development containers for ${languages.join(', ')}`
  return { said: [`${file} deploys ${methodTitle(way)}${dev}`, 'next: `devtool validate`, then `devtool deploy`'] }
}
