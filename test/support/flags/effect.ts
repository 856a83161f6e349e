/** How a visible effect of a flag is described. */
import type { Setup } from './world.ts'

/** `flag` is added to `line`; both follow the name of the command. */
type Effect = Setup & { readonly line?: ReadonlyArray<string>; readonly flag: ReadonlyArray<string> }

export type Effects = Readonly<Record<string, Effect>>

export const adds = (...flag: ReadonlyArray<string>): Effect => ({ flag })

/** Adds to the common setup of a group of effects. */
export const behind = (effects: Effects, line: ReadonlyArray<string>, setup: Setup = {}): Effects =>
  Object.fromEntries(
    Object.entries(effects).map(([name, effect]) => [
      name,
      { ...setup, ...effect, line: [...line, ...(effect.line ?? [])] },
    ]),
  )

export const loglevel: Effects = { '--loglevel': adds('--loglevel', 'error') }
export const output: Effects = { '--output': adds('-o', 'json') }
