/** The behaviour of a builder, described in JSON by a test case. */
import * as t from 'io-ts'
import type { BuilderScript } from '../../memory/builder.ts'

const SourcePart = t.type({
  file: t.string,
  text: t.string,
  ranges: t.array(t.type({ start: t.number, end: t.number })),
})

const Moments = t.partial({ startedMs: t.number, endedMs: t.number })

const Warning = t.intersection([
  t.type({ _tag: t.literal('Lint'), text: t.string, details: t.array(t.string), url: t.string }),
  t.partial({ source: SourcePart }),
])

const Event = t.union([
  t.intersection([
    t.type({ _tag: t.literal('Vertex'), digest: t.string, name: t.string, isCached: t.boolean }),
    t.partial({ error: t.string }),
    Moments,
  ]),
  t.type({ _tag: t.literal('Log'), vertex: t.string, isError: t.boolean, text: t.string }),
  Warning,
  t.type({ _tag: t.literal('Sent'), served: t.string, files: t.number, bytes: t.number }),
])

const Failure = t.union([
  t.intersection([
    t.type({ _tag: t.literal('Unreachable'), address: t.string, cause: t.string }),
    t.partial({ help: t.string }),
  ]),
  t.type({ _tag: t.literal('Silent'), address: t.string, afterMs: t.number, isAtStart: t.boolean }),
  t.type({ _tag: t.literal('Lost'), address: t.string, cause: t.string }),
  t.intersection([
    t.type({ _tag: t.literal('Failed'), message: t.string, code: t.number, sources: t.array(SourcePart) }),
    t.partial({ exitCode: t.number, vertex: t.string }),
  ]),
  t.intersection([
    t.type({ _tag: t.literal('Unusable'), what: t.string, cause: t.string }),
    t.partial({ help: t.string }),
  ]),
  t.type({ _tag: t.literal('NotLoaded'), isReached: t.boolean, cause: t.string }),
  t.type({ _tag: t.literal('NotPushed'), name: t.string, message: t.string }),
])

/** `images`: by the first of their names. `lints`: what a check finds. */
export const BuilderCase = t.partial({
  kind: t.union([t.literal('BuildKit'), t.literal('Docker')]),
  unreachable: Failure,
  lints: t.array(Warning),
  images: t.record(
    t.string,
    t.partial({
      events: t.array(Event),
      failure: Failure,
      solved: t.partial({ digest: t.string, configDigest: t.string }),
      endless: t.boolean,
    }),
  ),
})

export const builderIn = ({ images = {}, ...script }: t.TypeOf<typeof BuilderCase>): BuilderScript => ({
  ...script,
  images: new Map(Object.entries(images)),
})

/** In the form of the port `BuildContexts`. */
export const WeightCase = t.type({
  files: t.number,
  bytes: t.number,
  largest: t.array(t.type({ path: t.string, bytes: t.number })),
})
