/** How questions look. In a file of its own: few commands ask any. */

import { confirm, input, select } from '@inquirer/prompts'
import { defined } from '../../domain/object/defined.ts'
import type { Questions } from './prompt.ts'

/** No is what a mere Enter says. */
export const questions: Questions = {
  askYesNo: (message, streams) => confirm({ message, default: false }, streams),
  askChoice: (message, choices, streams) =>
    select({ message, choices: [...choices], pageSize: 12, loop: false }, streams),
  askText: (message, fallback, streams) => input({ message, ...defined({ default: fallback }) }, streams),
}
