/** Texts that are empty or invalid only because a variable has no value, which DT1011 reports. */
import type { Span } from '../text/source.ts'

type Text = { readonly value: string; readonly at: Span }

export const hasVariables = ({ at: { source, start, end } }: Pick<Text, 'at'>): boolean =>
  source.text.slice(start, end).includes('$')

/** Compose treats such a field as absent. */
export const isUnset = (written: Text): boolean => written.value.trim() === '' && hasVariables(written)
