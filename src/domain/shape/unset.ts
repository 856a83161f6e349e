/** Texts that are what they are because of variables without a value, which DT1011 reports. */
import type { Span } from '../text/source.ts'

type Text = { readonly value: string; readonly at: Span }

export const hasVariables = ({ at: { source, start, end } }: Pick<Text, 'at'>): boolean =>
  source.text.slice(start, end).includes('$')

/** Compose takes such a field for one that is not written. */
export const isUnset = (written: Text): boolean => written.value.trim() === '' && hasVariables(written)
