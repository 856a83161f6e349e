/** Rules for a single synchronised file: the rest of its folder is ignored, except its conflict copies. */
import { type SyncRules, syncRulesOf } from './sync-rules.ts'

/** A pattern of gitignore(5) that matches this name only. */
const literal = (name: string): string => name.replace(/[\\*?[\]!# ]/g, (character) => `\\${character}`)

export const rulesOfFile = (name: string): SyncRules => {
  const only = ['/*', `!/${literal(name)}`, `!/${literal(name)}.conflict-*`].join('\n')
  return { ...syncRulesOf((file) => (file === '.devtoolignore' ? only : undefined)), file: undefined }
}
