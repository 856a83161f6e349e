/** Describes a visible effect of a flag. */
import type { Setup } from './world.ts'

type Words = ReadonlyArray<string>

/** `rest`: what follows the flag. */
type Situation = Setup & { readonly rest?: Words }

/** `flag` is added to `line`; both follow the name of the command. */
type Effect = Situation & { readonly line?: Words; readonly flag: Words }

export type Effects = Readonly<Record<string, Effect>>

export const adds = (...flag: Words): Effect => ({ flag })

/** Adds to the common setup of a group of effects. */
export const behind = (effects: Effects, line: Words, setup: Situation = {}): Effects =>
  Object.fromEntries(
    Object.entries(effects).map(([name, effect]) => [
      name,
      { ...setup, ...effect, line: [...line, ...(effect.line ?? [])] },
    ]),
  )

export const loglevel: Effects = { '--loglevel': adds('--loglevel', 'error') }
export const output: Effects = { '--output': adds('-o', 'json') }
