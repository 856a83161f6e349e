/** Texts that are what they are because of variables without a value, which DT1011 reports. */
import type { Located } from './shape.ts'

export const hasVariables = ({ at: { source, start, end } }: Located<unknown>): boolean =>
  source.text.slice(start, end).includes('$')

/** Compose takes such a field for one that is not written. */
export const isUnset = (written: Located<string>): boolean => written.value.trim() === '' && hasVariables(written)

export const unlessUnset = (written: Located<string> | undefined): Located<string> | undefined =>
  written === undefined || isUnset(written) ? undefined : written
