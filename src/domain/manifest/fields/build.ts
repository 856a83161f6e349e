/** `build`: images by name. The fields of a Compose service's `build` are accepted here as well. */
import { type Fields, maps, object } from '../../shape/field.ts'
import { entriesOf, flag, oneOrMore, pairs, text, textOrNumber } from '../../shape/shape.ts'
import { shortOr } from './shapes.ts'

const builder = 'the image build'

const secret = {
  file: maps(text, builder, 'file with the secret'),
  env: maps(text, builder, 'variable with the secret'),
} satisfies Fields

const image = {
  context: maps(text, builder, 'folder, relative to the manifest, or URL; default: .'),
  dockerfile: maps(text, builder, 'path of the Dockerfile, relative to the context; default: Dockerfile'),
  dockerfile_inline: maps(text, builder, 'content of the Dockerfile'),
  image: maps(text, `${builder}; DEVTOOL_BUILD_<NAME>_IMAGE`, 'name to push to, or several, separated by commas'),
  target: maps(text, builder, 'stage of a multi-stage Dockerfile'),
  args: maps(pairs(), builder, 'build arguments; a bare name takes its value from the environment'),
  secrets: maps(
    entriesOf(shortOr('scalar', text, (written) => ({ file: written }), object(secret))),
    builder,
    'secrets by id: a file or a variable',
  ),
  cache_from: maps(oneOrMore(text), builder, 'images to import cache from'),
  export_cache: maps(oneOrMore(text), builder, 'images to export cache to'),
  depends_on: maps(oneOrMore(text), builder, 'images to build first'),
  additional_contexts: maps(pairs(), builder, 'additional build contexts by name'),
  ssh: maps(pairs(), builder, 'SSH agents and keys'),
  labels: maps(pairs(), builder, 'labels of the image'),
  platforms: maps(oneOrMore(text), builder, 'platforms to build for'),
  network: maps(text, builder, 'network of RUN steps'),
  extra_hosts: maps(pairs(/[=:]/), builder, 'additional host names in RUN steps'),
  no_cache: maps(flag, builder, 'build without cache'),
  pull: maps(flag, builder, 'always pull base images'),
  provenance: maps(textOrNumber, builder, 'provenance attestation: true, false or mode=max'),
  sbom: maps(textOrNumber, builder, 'SBOM attestation: true, false or generator=IMAGE'),
} satisfies Fields

export const build = entriesOf(shortOr('scalar', text, (written) => ({ context: written }), object(image)))
