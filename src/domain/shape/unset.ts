/** Texts that are what they are because of variables without a value, which DT1011 reports. */
import type { Span } from '../text/source.ts'

type Text = { readonly value: string; readonly at: Span }

export const hasVariables = ({ at: { source, start, end } }: Pick<Text, 'at'>): boolean =>
  source.text.slice(start, end).includes('$')

/** Compose treats such a field as absent. */
export const isUnset = (written: Text): boolean => written.value.trim() === '' && hasVariables(written)
