/** The questions themselves, in a file of their own because few commands ask any. */

import { confirm, input, select } from '@inquirer/prompts'
import { defined } from '../../domain/object/defined.ts'
import type { Questions } from './prompt.ts'

/** Replaces the marks of the library. */
const ascii = {
  prefix: { idle: '?', done: '+' },
  spinner: { interval: 80, frames: ['-', '\\', '|', '/'] },
}
const asciiChoice = { ...ascii, icon: { cursor: '>' }, style: { keysHelpTip: () => 'up or down: move, Enter: select' } }

/** Pressing Enter means no. `isUnicode`: whether the terminal shows more than ASCII. */
export const questionsFor = (isUnicode: boolean): Questions => {
  const theme = isUnicode ? undefined : ascii
  const choiceTheme = isUnicode ? undefined : asciiChoice
  return {
    askYesNo: (message, streams) => confirm({ message, default: false, ...defined({ theme }) }, streams),
    askChoice: (message, choices, streams) =>
      select(
        { message, choices: [...choices], pageSize: 12, loop: false, ...defined({ theme: choiceTheme }) },
        streams,
      ),
    askText: (message, fallback, streams) => input({ message, ...defined({ default: fallback, theme }) }, streams),
  }
}
