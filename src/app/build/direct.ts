/** `build -f`: an image described only by its Dockerfile and the command line. */
import { contextsOf } from '../../domain/build/contexts.ts'
import type { BuildFlags } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import { optionsOf } from '../../domain/build/options.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { textContent } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import { STDIN, source } from '../../domain/text/source.ts'
import type { Ports } from '../../ports/ports.ts'

type Pairs = ReadonlyMap<string, string>

/** `context` and `dockerfile` as given on the command line; `-` is the standard input. */
export type DirectBuild = {
  readonly dockerfile: string
  readonly context: string
  readonly ssh: Pairs
  readonly labels: Pairs
  readonly contexts: Pairs
  readonly hosts: Pairs
  readonly network?: string | undefined
  readonly pull: boolean
  readonly entitlements: ReadonlyArray<string>
  readonly provenance?: string | undefined
  readonly sbom?: string | undefined
}

/** `text`: that of the Dockerfile, if it came from the standard input. */
const imageOf = (direct: DirectBuild, flags: BuildFlags, cwd: string, text: string | undefined): Image => {
  const { context, dockerfile, entitlements, network, provenance, pull, sbom } = direct
  const at = { source: source(dockerfile, '.', ''), start: 0, end: 0 }
  const written = <A>(value: A) => ({ value, at, path: '' })
  const maybe = <A>(value: A | undefined) => (value === undefined ? undefined : written(value))
  const named = (pairs: Pairs) => [...pairs].map(([name, value]) => ({ name, value, at, path: '' }))
  return {
    name: baseName(resolvePath(cwd, context)) || 'image',
    context: written(context),
    ...(text === undefined ? { dockerfile: written(dockerfile) } : { dockerfileInline: written(text) }),
    images: flags.tags.map(written),
    args: [],
    secrets: [],
    cacheFrom: [],
    exportCache: [],
    dependsOn: [],
    additionalContexts: named(direct.contexts),
    ssh: named(direct.ssh),
    labels: named(direct.labels),
    platforms: [],
    extraHosts: named(direct.hosts),
    ...defined({ network: maybe(network), provenance: maybe(provenance), sbom: maybe(sbom) }),
    ...(pull ? { pull: written(true) } : {}),
    ...(entitlements.length === 0 ? {} : { entitlements: entitlements.map(written) }),
    at,
    path: '',
  }
}

/** Findings about missing text have no place: only files, such as the Dockerfile, have lines. */
export const typed = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  found.map((one) => {
    const { at: _, code, message, path, ...rest } = one
    if (path !== '') return one
    return { ...rest, code: code === 'DT4031' ? 'DT2001' : code, message: message.replace(/^: /, '') }
  })

/** Mistakes are in the command line, so they have no place in a file. Finds DT1006, DT1018, DT2001. */
export const directImage = async (
  { files }: Pick<Ports, 'files'>,
  direct: DirectBuild,
  flags: BuildFlags,
  cwd: string,
): Promise<Checked<Image>> => {
  const content = direct.dockerfile === '-' ? await files.read(STDIN, {})() : undefined
  const text = content === undefined ? C.ok(undefined) : textContent(STDIN, content, undefined)
  return C.andThen((known: string | undefined): Checked<Image> => {
    const image = imageOf(direct, flags, cwd, known)
    const facts = { cwd, images: [], built: new Map<string, string>() }
    const wrong = [...C.findings(optionsOf(image, flags)), ...C.findings(contextsOf(image, facts))]
    // Warnings come with the request to the builder.
    const errors = typed(wrong).filter(({ severity }) => severity === 'error')
    return C.note(
      image,
      errors.map(({ help, message }) => error('DT2001', message, defined({ help }))),
    )
  })(text)
}
