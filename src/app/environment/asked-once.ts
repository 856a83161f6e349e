/** Git for one run of a command, with its answers remembered. */
import type { Git } from '../../ports/git.ts'

/** Each folder is looked up only once. */
export const askedOnce = (git: Git): Git => {
  const heads = new Map<string, ReturnType<Git['head']>>()
  const head: Git['head'] = (folder) => {
    const asked = heads.get(folder) ?? git.head(folder)
    heads.set(folder, asked)
    return asked
  }
  return { ...git, head }
}
