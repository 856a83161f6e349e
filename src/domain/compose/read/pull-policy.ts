/** `pull_policy`: when the image is pulled. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { remark } from '../../diagnostic/diagnostic.ts'
import { as, choose } from '../../shape/parse.ts'
import type { Located } from '../../shape/shape.ts'
import type { ComposeService } from '../model.ts'

const pullPolicies = {
  always: 'Always',
  missing: 'IfNotPresent',
  if_not_present: 'IfNotPresent',
  never: 'Never',
  build: 'IfNotPresent',
  daily: 'Always',
  weekly: 'Always',
  refresh: 'Always',
} as const

/**
 * A built image is pushed, and the node has to get it from there: for Compose, `never` only says that it is not pulled.
 */
export const readBuiltPullPolicy = (written: Located<string>): Checked<ComposeService['pullPolicy']> =>
  written.value === 'never' ? C.ok(as('IfNotPresent' as const, written)) : readPullPolicy(written)

/** Kubernetes has no periodic pull policies: those become Always, with a warning. */
export const readPullPolicy = (written: Located<string>): Checked<ComposeService['pullPolicy']> => {
  const isEvery = written.value.startsWith('every_')
  const known = isEvery ? C.ok(as('Always' as const, written)) : choose('pull policy', pullPolicies)(written)
  const isPeriodic = isEvery || ['daily', 'weekly', 'refresh'].includes(written.value)
  if (!isPeriodic) return known
  const found = [
    remark('DT1110', 'Kubernetes pulls the image at every start instead', { at: written.at, path: written.path }),
  ]
  return C.andThen((policy: NonNullable<ComposeService['pullPolicy']>) => C.note(policy, found))(known)
}
