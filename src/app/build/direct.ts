/** `build -f`: an image described only by its Dockerfile. */
import type { Image } from '../../domain/build/image.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import { source } from '../../domain/text/source.ts'

/** `context` and `dockerfile` as given on the command line. */
export const directImage = (
  { context, dockerfile }: { readonly context: string; readonly dockerfile: string },
  tags: ReadonlyArray<string>,
  cwd: string,
): Image => {
  const at = { source: source(dockerfile, '.', ''), start: 0, end: 0 }
  const written = <A>(value: A) => ({ value, at, path: '' })
  return {
    name: baseName(resolvePath(cwd, context)) || 'image',
    context: written(context),
    dockerfile: written(dockerfile),
    images: tags.map(written),
    args: [],
    secrets: [],
    cacheFrom: [],
    exportCache: [],
    dependsOn: [],
    additionalContexts: [],
    ssh: [],
    labels: [],
    platforms: [],
    extraHosts: [],
    at,
    path: '',
  }
}
