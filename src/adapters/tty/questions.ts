/** The questions themselves, in a file of their own because few commands ask any. */

import { confirm, input, select } from '@inquirer/prompts'
import { defined } from '../../domain/object/defined.ts'
import type { Questions } from './prompt.ts'

/** Pressing Enter means no. */
export const questions: Questions = {
  askYesNo: (message, streams) => confirm({ message, default: false }, streams),
  askChoice: (message, choices, streams) =>
    select({ message, choices: [...choices], pageSize: 12, loop: false }, streams),
  askText: (message, fallback, streams) => input({ message, ...defined({ default: fallback }) }, streams),
}
