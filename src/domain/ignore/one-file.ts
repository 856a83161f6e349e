/** The rules of a folder of which one file is synchronised, with its conflict copies. */
import { type SyncRules, syncRulesOf } from './sync-rules.ts'

/** As a pattern of gitignore(5) that means this name alone. */
const literal = (name: string): string => name.replace(/[\\*?[\]!# ]/g, (character) => `\\${character}`)

export const rulesOfFile = (name: string): SyncRules => {
  const only = ['/*', `!/${literal(name)}`, `!/${literal(name)}.conflict-*`].join('\n')
  return { ...syncRulesOf((file) => (file === '.devtoolignore' ? only : undefined)), file: undefined }
}
