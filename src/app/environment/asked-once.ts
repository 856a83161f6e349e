/** Git, for one run of a command. */
import type { Git } from '../../ports/git.ts'

/** The same folder is asked about once. */
export const askedOnce = (git: Git): Git => {
  const heads = new Map<string, ReturnType<Git['head']>>()
  const head: Git['head'] = (folder) => {
    const asked = heads.get(folder) ?? git.head(folder)
    heads.set(folder, asked)
    return asked
  }
  return { ...git, head }
}
