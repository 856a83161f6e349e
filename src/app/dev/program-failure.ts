/** How a program in a development container can fail. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { LinkProgram } from '../../ports/link.ts'

export type DevProgram = Pick<LinkProgram, 'command' | 'folder' | 'environment'>

/**
 * Lost: the connection, and the program ended with it. Gone: the container was replaced or restarted, and the program
 * with it. Left: with the escape keys, while the connection was lost. Over: the session has
 * ended.
 */
export type ProgramFailure = { readonly _tag: 'Lost' | 'Gone' | 'Left' | 'Over' | 'Refused'; readonly reason: string }

/** The development container was taken down, taken over or destroyed, by somebody else or in another terminal. */
export const developmentEnded = (name: string, reason: string): Diagnostic =>
  error('DT5053', `the development of ${name} has ended: ${reason}`, { help: `\`devtool up ${name}\` begins again` })
