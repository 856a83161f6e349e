/** The appearance of the live display, whatever it shows. */
import type { StepState } from './event.ts'

/** `columns` and `rows` of the whole terminal. */
export type ProgressStyle = {
  readonly columns: number
  readonly rows: number
  readonly color: boolean
  readonly nowMs: number
}

/** `style`: SGR parameters. */
export const signs: { readonly [S in StepState]: { readonly sign: string; readonly style: string } } = {
  Waiting: { sign: '·', style: '2' },
  Running: { sign: '▸', style: '36' },
  Done: { sign: '✓', style: '32' },
  Failed: { sign: '✗', style: '31' },
  Skipped: { sign: '-', style: '2' },
}
