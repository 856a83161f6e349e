/** `status --watch`: on a terminal, text that is updated in place; elsewhere, all of it again after each change. */
import { DevStatusList } from '../../domain/dev/listing.ts'
import { repainting } from '../../domain/progress/painted.ts'
import { cut } from '../../domain/progress/text.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { DataForm } from '../flags/forms.ts'
import { printDataLine } from './data.ts'
import { devStatusText } from './dev.ts'

/** Returns the text to print; '' when nothing changed. */
export const statusWatchView = (
  form: DataForm,
  { isTerminal, size }: { readonly isTerminal: boolean; readonly size: () => TerminalSize },
): ((list: DevStatusList, now: string) => string) => {
  let before: string | undefined
  let painted: ReadonlyArray<string> = []
  return (list, now) => {
    const output = devStatusText(form, list, now)
    if (output === before) return ''
    before = output
    if (form === 'json') return printDataLine(DevStatusList, list)
    if (form === 'yaml') return `---\n${output}`
    if (!isTerminal) return output
    const { columns, rows } = size()
    const lines = output
      .trimEnd()
      .split('\n')
      .slice(0, Math.max(2, rows - 1))
      .map((line) => cut(line, columns))
    const text = repainting(painted, lines, columns)
    painted = lines
    return text
  }
}
