/** What a run says that was interrupted, or had no time left, while it waited for something. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Span } from '../../domain/text/source.ts'
import { isTimeout } from '../concurrency/deadline.ts'

/** `doing`: `command "seed" ran`. `left`: what becomes of what was done. */
export const endedWhile = (doing: string, left: string, at: Span | undefined, signal: AbortSignal): Diagnostic =>
  isTimeout(signal)
    ? error('DT3120', `timed out while ${doing}`, { at, help: 'use --timeout to wait longer' })
    : error('DT3121', `interrupted while ${doing}`, { at, help: left })
