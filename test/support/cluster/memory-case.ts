/** A cluster described in JSON by a test case. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { isObject, type Json, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { error, warning } from '../../../src/domain/diagnostic/diagnostic.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import type { Git } from '../../../src/ports/git.ts'
import { memoryCommands } from '../../memory/commands.ts'
import { BuilderCase, builderIn, WeightCase } from '../build/case.ts'
import { type MemoryWorld, noGit } from './memory-ports.ts'

const Failure = t.intersection([
  t.type({ verb: t.string, what: t.string, status: t.number }),
  t.partial({
    reason: t.string,
    message: t.string,
    times: t.number,
    mayHaveHappened: t.boolean,
    causes: t.array(t.intersection([t.type({ reason: t.string, message: t.string }), t.partial({ field: t.string })])),
  }),
])

/** The effect of a command, by its text; `*` stands for any other. */
const Scripted = t.partial({
  status: t.number,
  output: t.string,
  exports: t.string,
  missing: t.union([t.literal('bash'), t.literal('folder'), t.literal('scratch')]),
  endless: t.boolean,
})

/** Log lines of a container. `pod` is `NAMESPACE/NAME`. */
const Said = t.intersection([
  t.type({ pod: t.string, container: t.string, lines: t.array(t.string) }),
  t.partial({ isPrevious: t.boolean }),
])

/**
 * `hasNone`: there is no kubeconfig; `isUnsafe`: it disables the check of certificates; `unusable`: the finding when
 * connecting. `slow`: milliseconds until workloads have pods, by name. `repositories` can be cloned. `gitRefusal`: why
 * git cannot read the folder. `context`: its name. `digests`: images in registries, by full reference. `weights` of
 * build contexts by absolute path.
 */
const Case = t.partial(
  {
    objects: t.array(t.UnknownRecord),
    failures: t.array(Failure),
    refused: t.array(t.number),
    open: t.record(t.string, t.array(t.number)),
    said: t.array(Said),
    denied: t.array(t.string),
    namespace: t.string,
    hasNone: t.boolean,
    isUnsafe: t.boolean,
    unusable: t.intersection([
      t.type({ code: t.union([t.literal('DT3009'), t.literal('DT3010')]), message: t.string }),
      t.partial({ help: t.string }),
    ]),
    answers: t.record(t.string, t.string),
    commands: t.record(t.string, Scripted),
    slow: t.record(t.string, t.number),
    repositories: t.array(t.string),
    gitRefusal: t.string,
    context: t.string,
    builder: BuilderCase,
    digests: t.record(t.string, t.string),
    weights: t.record(t.string, WeightCase),
  },
  'cluster.json',
)

const toJson = (value: unknown): JsonObject => {
  const json: Json = JSON.parse(JSON.stringify(value))
  return isObject(json) ? json : {}
}

const unsafe = warning('DT3011', 'the certificate of https://test is not checked (insecure-skip-tls-verify)', {
  help: 'anyone on the network path can read and change everything: set its certificate-authority in the kubeconfig',
})

const gitWith = (repositories: ReadonlyArray<string>, refused: string | undefined): Git => ({
  ...noGit,
  head: () => Promise.resolve(refused === undefined ? {} : { refused }),
  clone: (repository, branch, signal) =>
    repositories.includes(repository)
      ? TE.right({ folder: '/tmp/devtool-clone', remove: () => Promise.resolve() })
      : noGit.clone(repository, branch, signal),
})

/** Options of the builders in memory. */
const buildsIn = ({ builder, digests, weights }: t.TypeOf<typeof Case>): Partial<MemoryWorld> => ({
  ...(builder === undefined ? {} : { builder: builderIn(builder) }),
  ...(digests === undefined ? {} : { digests: new Map(Object.entries(digests)) }),
  ...(weights === undefined ? {} : { weights: new Map(Object.entries(weights)) }),
})

type CaseWorld = Partial<MemoryWorld> & { readonly slow: ReadonlyMap<string, number> }

/** '' is an empty cluster. */
export const clusterIn = (text: string): CaseWorld => {
  const read = Case.decode(text === '' ? {} : JSON.parse(text))
  if (read._tag === 'Left') throw new Error('cluster.json has a value of another type')
  const {
    answers,
    commands = {},
    context,
    denied = [],
    failures = [],
    gitRefusal,
    hasNone = false,
    namespace,
    objects = [],
    open,
    refused = [],
    repositories = [],
    said = [],
    slow = {},
    unusable,
  } = read.right
  const warnings = read.right.isUnsafe === true ? [unsafe] : []
  return {
    cluster: { objects: objects.map(toJson), failures, denied, refused, said, warnings, ...defined({ open }) },
    hasNoCluster: hasNone,
    ...(namespace === undefined ? {} : { namespace }),
    ...(context === undefined ? {} : { context }),
    ...buildsIn(read.right),
    ...(unusable === undefined ? {} : { unusable: error(unusable.code, unusable.message, { help: unusable.help }) }),
    ports: { commands: memoryCommands(new Map(Object.entries(commands))), git: gitWith(repositories, gitRefusal) },
    slow: new Map(Object.entries(slow)),
    ...(answers === undefined ? {} : { answers: new Map(Object.entries(answers)) }),
  }
}
