/** The `build` object of a service (Compose Specification, "Build"). Only the image name ends up in a manifest. */
import * as C from '../../checked.ts'
import { type Fields, maps, object, warns } from '../../shape/field.ts'
import {
  amount,
  byForm,
  entriesOf,
  flag,
  integer,
  type Located,
  listOf,
  oneOrMore,
  oneOrSet,
  type Pair,
  pairs,
  type Shape,
  type ShapeMember,
  text,
  textOrNone,
  textOrNumber,
} from '../../shape/shape.ts'

const builder = 'the image build'

/** `default` alone counts as a list with one item. */
const ssh: Shape<Located<ReadonlyArray<Pair>>> = {
  name: 'a string, a mapping or a list of NAME=value',
  schema: { anyOf: [text.schema, pairs().schema] },
  read: (node, path) =>
    node._tag === 'Scalar'
      ? C.andThen(() => pairs().read({ ...node, _tag: 'Sequence', items: [node] }, path))(text.read(node, path))
      : pairs().read(node, path),
}

/** In a mapping, a name may have several addresses; they are joined by commas, as in a list. */
const hosts: Shape<Located<ReadonlyArray<Pair>>> = {
  ...pairs(/[=:]/, false),
  schema: { anyOf: [entriesOf(oneOrMore(text)).schema, listOf(textOrNumber).schema] },
  read: (node, path) =>
    node._tag === 'Mapping'
      ? C.map((read: Located<ReadonlyArray<ShapeMember<Located<ReadonlyArray<Located<string>>>>>>) => ({
          ...read,
          value: read.value.map(({ key, value: { at, path: own, value } }) => ({
            name: key.text,
            value: value.map((address) => address.value).join(),
            at,
            path: own,
          })),
        }))(entriesOf(oneOrMore(text)).read(node, path))
      : pairs(/[=:]/, false).read(node, path),
}

const noOwner = 'BuildKit has no such option for build secrets'

const secretFields = {
  source: maps(text, builder, 'name of the top-level secret'),
  target: maps(text, builder, 'id of the secret in the Dockerfile; default: its name'),
  uid: warns(textOrNumber, noOwner, 'owner of the file'),
  gid: warns(textOrNumber, noOwner, 'group of the file'),
  mode: warns(textOrNumber, noOwner, 'permissions of the file'),
} satisfies Fields

const limitFields = {
  soft: maps(integer, builder, 'limit that a process may raise up to the hard limit'),
  hard: maps(integer, builder, 'limit that a process cannot raise'),
} satisfies Fields

const buildFields = {
  context: maps(text, builder, 'path of the build context, relative to the file'),
  dockerfile: maps(
    text,
    `${builder}; its EXPOSE lines become private ports`,
    'path of the Dockerfile, relative to the context',
  ),
  dockerfile_inline: maps(text, builder, 'content of the Dockerfile'),
  target: maps(text, `${builder}; the stage whose EXPOSE lines count`, 'stage of a multi-stage Dockerfile'),
  args: maps(pairs(), builder, 'build arguments'),
  cache_from: maps(oneOrSet(text), builder, 'images to import cache from'),
  cache_to: maps(oneOrMore(text), builder, 'where to export cache to'),
  export_cache: maps(text, builder, 'image tag to export cache to'),
  additional_contexts: maps(pairs(), builder, 'additional build contexts by name'),
  ssh: maps(ssh, builder, 'SSH agents and keys for the build'),
  secrets: maps(
    listOf(byForm({ scalar: text, mapping: object(secretFields, undefined, builder) })),
    builder,
    'secrets for the build',
  ),
  no_cache: maps(flag, builder, 'build without cache'),
  no_cache_filter: maps(oneOrMore(text), builder, 'stages to build without cache'),
  pull: maps(flag, builder, 'always pull base images'),
  platforms: maps(oneOrSet(text), builder, 'platforms to build for'),
  labels: maps(pairs(), builder, 'labels of the image'),
  tags: maps(oneOrSet(text), builder, 'additional names of the image'),
  network: maps(textOrNone, builder, 'network of RUN steps'),
  extra_hosts: maps(hosts, builder, 'additional host names in RUN steps'),
  provenance: maps(textOrNone, builder, 'provenance attestation'),
  sbom: maps(textOrNone, builder, 'SBOM attestation'),
  shm_size: maps(amount, builder, 'size of /dev/shm in RUN steps'),
  ulimits: maps(
    entriesOf(byForm({ scalar: integer, mapping: object(limitFields) })),
    builder,
    'limits of RUN steps; a single number sets both',
  ),
  privileged: warns(flag, 'builds run without privileges', 'run RUN steps with full privileges'),
  entitlements: maps(listOf(text), builder, 'privileges that RUN steps may request', 'only network.host'),
  isolation: warns(text, 'it applies to Windows only', 'isolation of RUN steps'),
} satisfies Fields

export const build = byForm({ scalar: text, mapping: object(buildFields, undefined, builder) })
