/**
 * JSON documents that commands print: an io-ts codec each, which is the only source of its type, of what is printed and
 * of its section in docs/json.md. Every key has a description. Adding a key does not break readers, so the schema stays
 * 1.
 */
import * as t from 'io-ts'

type Row = readonly [codec: t.Mixed, about: string]
export type Rows = Readonly<Record<string, Row>>

type Object<R extends Rows, O extends Rows> = { readonly [K in keyof R]: t.TypeOf<R[K][0]> } & ([O] extends [never]
  ? unknown
  : { readonly [K in keyof O]?: t.TypeOf<O[K][0]> })

/** A codec that also has the descriptions of its keys. */
export type Keys<A = unknown> = t.Type<A> & { readonly required: Rows; readonly optional: Rows }

const codecsOf = (rows: Rows): t.Props =>
  Object.fromEntries(Object.entries(rows).map(([name, [codec]]) => [name, codec]))

const both = (required: Rows, optional: Rows = {}) =>
  t.intersection([t.type(codecsOf(required)), t.partial(codecsOf(optional))])

const described = <R extends Rows, O extends Rows>(codec: t.Mixed, required: R, optional: O | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the codec are those of the rows
  Object.assign(codec, { required, optional: optional ?? {} }) as unknown as Keys<Object<R, O>>

/** An object with these keys; others are kept. For what is stored: a later version may have added some. */
export const atLeast = <R extends Rows, O extends Rows = never>(required: R, optional?: O): Keys<Object<R, O>> =>
  described(both(required, optional), required, optional)

/** An object with these keys; others are dropped. */
export const keys = <R extends Rows, O extends Rows = never>(required: R, optional?: O): Keys<Object<R, O>> =>
  described(t.exact(both(required, optional)), required, optional)

/** `name`: the command that prints it. `A`: its content besides `schema`. */
export type Document<A> = {
  readonly name: string
  readonly about: string
  readonly codec: Keys<{ readonly schema: 1 } & A>
}

export const document = <R extends Rows, O extends Rows = never>(
  name: string,
  about: string,
  required: R,
  optional?: O,
): Document<Object<R, O>> => {
  const schema = { schema: [t.literal(1), 'version of this document'] } as const
  return { name, about, codec: keys({ ...schema, ...required }, optional) }
}

export type DataOf<D> = D extends Document<infer A> ? A : never

/** One of these strings. */
export const oneOf = <A extends string>(...texts: ReadonlyArray<A>): t.Type<A> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are the texts
  t.keyof(Object.fromEntries(texts.map((text) => [text, null]))) as unknown as t.Type<A>

export const encode = <A>({ codec }: Document<A>, data: A): { readonly schema: 1 } & A =>
  codec.encode({ schema: 1, ...data })
