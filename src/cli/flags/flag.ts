/**
 * Flags and words of a command line as data: how they are written, their help and completion, and how their values are
 * read. A command spreads groups of them.
 */
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { oneOf } from './read.ts'

/** Where completion finds values that are not listed with the flag. */
export type FlagOffer =
  | 'commands'
  | 'containers'
  | 'contexts'
  | 'devs'
  | 'environments'
  | 'files'
  | 'images'
  | 'namespaces'
  | 'profiles'
  | 'services'
  | 'topics'

/** The value on the command line: `undefined` when it was not given. */
export type FlagArgument = string | boolean | ReadonlyArray<string> | undefined

/** `values`: all allowed values. */
type FlagValues = { readonly values?: ReadonlyArray<string>; readonly offers?: FlagOffer }

/** `value`: the name of the value in help texts. */
type Valued = FlagValues & { readonly value: string; readonly about: string }

/** `Switch` takes no value, `One` takes one, `Many` one each time, `Maybe` an optional one after `=`. */
export type Flag<A> = FlagValues & {
  /** The long one comes last. */
  readonly names: ReadonlyArray<string>
  readonly about: string
  readonly value?: string
  readonly arity: 'Switch' | 'One' | 'Many' | 'Maybe'
  /** The default text. */
  readonly otherwise?: string
  /** The flag that its short name stands for when no value follows. */
  readonly bare?: string
  /** Why it has no effect: it is accepted with a note, and not in the help. */
  readonly unused?: string
  readonly read: (given: FlagArgument) => Checked<A>
}

/** A positional argument. `Command`: everything after `--`, including flags that are not devtool's. */
export type Word<A> = FlagValues & {
  readonly name: string
  readonly arity: 'One' | 'Maybe' | 'Many' | 'Command'
  readonly read: (given: FlagArgument) => Checked<A>
}

export type Readable = Readonly<Record<string, { readonly read: (given: FlagArgument) => Checked<unknown> }>>

/** The values of flags and words. */
export type Values<R extends Readable> = {
  readonly [K in keyof R]: R[K] extends { readonly read: (given: FlagArgument) => Checked<infer A> } ? A : never
}

const textIn = (given: FlagArgument): string | undefined => (typeof given === 'string' ? given : undefined)
const textsIn = (given: FlagArgument): ReadonlyArray<string> => (Array.isArray(given) ? given : [])

const longOf = (names: string): string => names.split(',').at(-1) ?? names

export const flag = (names: string, about: string): Flag<boolean> => ({
  names: names.split(','),
  about,
  arity: 'Switch',
  read: (given) => C.ok(given === true),
})

/** `--x`, `--no-x`, or neither. */
export const toggle = (names: string, about: string): Flag<boolean | undefined> => ({
  names: names.split(','),
  about,
  arity: 'Switch',
  read: (given) => C.ok(typeof given === 'boolean' ? given : undefined),
})

/** `read` gets the name of the flag, for its findings, and the text. */
export const parsed = <A>(
  names: string,
  valued: Valued,
  read: (flag: string, text: string) => Checked<A>,
): Flag<A | undefined> => ({
  ...valued,
  names: names.split(','),
  arity: 'One',
  read: (given) => {
    const text = textIn(given)
    return text === undefined ? C.ok(undefined) : read(longOf(names), text)
  },
})

export const text = (names: string, valued: Valued): Flag<string | undefined> =>
  parsed(names, valued, (_, written) => C.ok(written))

/** Like {@link parsed}, with a default text. */
export const defaulted = <A>(
  names: string,
  valued: Valued,
  otherwise: string,
  read: (flag: string, text: string) => Checked<A>,
): Flag<A> => ({
  ...valued,
  names: names.split(','),
  arity: 'One',
  otherwise,
  read: (given) => read(longOf(names), textIn(given) ?? otherwise),
})

export const choice = <A extends string>(
  names: string,
  valued: Omit<Valued, 'values'>,
  values: ReadonlyArray<A>,
  otherwise: A,
): Flag<A> => defaulted(names, { ...valued, values }, otherwise, (name, written) => oneOf(name, written, values))

export const list = <A>(
  names: string,
  valued: Valued,
  read: (flag: string, texts: ReadonlyArray<string>) => Checked<A>,
): Flag<A> => ({
  ...valued,
  names: names.split(','),
  arity: 'Many',
  read: (given) => read(longOf(names), textsIn(given)),
})

export const texts = (names: string, valued: Valued): Flag<ReadonlyArray<string>> =>
  list(names, valued, (_, written) => C.ok(written))

export const without = <A>(given: Flag<A>, unused: string): Flag<A> => ({ ...given, unused })

/** `true`: the flag without a value; `undefined`: not given. */
export const maybe = <A>(
  names: string,
  about: string,
  values: ReadonlyArray<string>,
  read: (flag: string, given: string | boolean | undefined) => Checked<A>,
): Flag<A> => ({
  names: names.split(','),
  about,
  values,
  arity: 'Maybe',
  read: (given) => read(longOf(names), typeof given === 'boolean' ? given : textIn(given)),
})

export const must = (name: string, taken: FlagValues = {}): Word<string> => ({
  ...taken,
  name,
  arity: 'One',
  read: (given) => C.ok(textIn(given) ?? ''),
})

export const may = (name: string, taken: FlagValues = {}): Word<string | undefined> => ({
  ...taken,
  name,
  arity: 'Maybe',
  read: (given) => C.ok(textIn(given)),
})

export const rest = (name: string, taken: FlagValues = {}): Word<ReadonlyArray<string>> => ({
  ...taken,
  name,
  arity: 'Many',
  read: (given) => C.ok(textsIn(given)),
})

export const commandWords = (name: string): Word<ReadonlyArray<string>> => ({
  name,
  arity: 'Command',
  read: (given) => C.ok(textsIn(given)),
})

/** A positional argument with a fixed set of values. */
export const mustBe = <A extends string>(name: string, values: ReadonlyArray<A>): Word<A> => ({
  name,
  values,
  arity: 'One',
  read: (given) => oneOf(name, textIn(given) ?? '', values),
})

export const mayBe = <A extends string>(name: string, values: ReadonlyArray<A>): Word<A | undefined> => ({
  name,
  values,
  arity: 'Maybe',
  read: (given) => {
    const value = textIn(given)
    return value === undefined ? C.ok(undefined) : oneOf(name, value, values)
  },
})
