/** The tree of a `devtool.yml` → what it means, and the Compose file inside it. */

import { imageVariables } from '../../build/image-variables.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { defined } from '../../object/defined.ts'
import type { ValueOf } from '../../shape/shape.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { Entry, Mapping, Node } from '../../yaml/node.ts'
import { composeSections, manifestShape } from '../fields/document.ts'
import type { Manifest } from '../model.ts'
import { expand, withLate } from '../variables.ts'
import { readBuild } from './build.ts'
import { readCommands, readDeploy } from './commands.ts'
import { readDependencies, readExternal } from './dependencies.ts'
import { readDev } from './dev.ts'
import { readForwards } from './forward.ts'

/**
 * `inline`: the Compose sections, with `name`, as written. `endpoints`: replaces all others; its variables are already
 * replaced.
 */
export type ReadManifest = {
  readonly manifest: Manifest
  readonly inline: Mapping
  readonly endpoints?: Node
  /** The image variables of `build`, for as long as nothing has been built. */
  readonly variables: ReadonlyMap<string, string>
}

/**
 * Settings from elsewhere. The environment's `name` (or `guess`) and `registry` become parts of image names;
 * `remembered` is the registry of the context. `built`: images that exist already, by path.
 */
export type ManifestContext = {
  readonly variables: Variables
  readonly name?: string | undefined
  readonly guess: string
  readonly registry?: string | undefined
  readonly remembered?: string | undefined
  readonly built?: ReadonlyMap<string, string> | undefined
}

const isExtension = ({ key }: Entry): boolean => key.text.startsWith('x-')
const isCompose = (entry: Entry): boolean => isExtension(entry) || Object.hasOwn(composeSections, entry.key.text)
const isName = ({ key }: Entry): boolean => key.text === 'name'

const readSections = (root: Mapping, variables: Variables, raw: ValueOf<typeof manifestShape>['value']) =>
  C.struct({
    build: readBuild(raw.build, variables),
    deploy: readDeploy(raw.deploy, root.source.file),
    dependencies: readDependencies(raw.dependencies, variables),
    destroy: readCommands(raw.destroy?.value.commands),
    dev: readDev(raw.dev, variables),
    external: readExternal(raw.external),
    forward: readForwards(raw.forward, true),
  })

/** All mistakes are reported; broken parts are left out of the value. */
export const readManifest = (root: Mapping, context: ManifestContext): Checked<ReadManifest> => {
  const variables = withLate(context.variables)
  const inline = { ...root, entries: root.entries.filter((entry) => isCompose(entry) || isName(entry)) }
  const own = { ...root, entries: root.entries.filter((entry) => !isCompose(entry)) }
  const raw = C.andThen((expanded: Mapping) => manifestShape.read(expanded, ''))(expand(variables, own))
  return C.andThen(({ value }: ValueOf<typeof manifestShape>) => {
    const sections = readSections(root, variables, value)
    return C.map((read: C.ValueIn<typeof sections>): ReadManifest => {
      const { deploy, endpoints } = read.deploy ?? { deploy: { commands: [], compose: [] } }
      const manifest: Manifest = {
        file: root.source.file,
        folder: root.source.folder,
        ...defined({ name: value.name }),
        build: read.build ?? [],
        deploy,
        dependencies: read.dependencies ?? [],
        destroy: read.destroy ?? [],
        dev: read.dev ?? [],
        external: read.external ?? [],
        forward: read.forward ?? [],
      }
      const environment = context.name ?? value.name?.value ?? context.guess
      const registry = context.registry ?? (variables('DEVTOOL_REGISTRY') || context.remembered)
      return {
        manifest,
        inline,
        variables: imageVariables(manifest.build, { environment, registry, built: context.built }),
        ...defined({ endpoints }),
      }
    })(sections)
  })(raw)
}
