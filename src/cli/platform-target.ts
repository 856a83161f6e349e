/** From flags to the cluster of a platform. */
import type { Use } from '../app/context/connect.ts'
import { defined } from '../domain/object/defined.ts'
import { SYSTEM_NAMESPACE } from '../domain/platform/names.ts'
import type { CommandCall } from './command.ts'
import type { ProgressForm } from './flags/output.ts'
import type { Outcome } from './outcome.ts'
import { type Connected, inTarget, type TargetChoice } from './target.ts'

type Given = {
  readonly context: string | undefined
  readonly kubeconfig: string | undefined
  readonly yes?: boolean
  readonly timeout?: number | undefined
  readonly progress?: ProgressForm
}

export const inPlatform = (
  call: CommandCall,
  { context, kubeconfig, progress = 'auto', timeout, yes = false }: Given,
  use: Use,
  run: (connected: Connected) => Promise<Outcome>,
  sound: Pick<TargetChoice, 'isSound'> = {},
): Promise<Outcome> => {
  // Every cluster has this namespace; that of the platform may not exist yet.
  const reach = { ...defined({ context, kubeconfig }), isYes: yes, namespace: 'kube-system' }
  return inTarget(
    call,
    { reach, shownAs: SYSTEM_NAMESPACE, use, form: progress, ...sound, ...defined({ timeoutMs: timeout }) },
    run,
  )
}
