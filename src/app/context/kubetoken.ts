/** `kubetoken`: a token for kubectl, in the format of its credential plugins. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExecCredential } from '../../domain/platform/exec-credential.ts'
import { execCredential } from '../../domain/platform/exec-credential.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import type { ShellVariables } from './locate.ts'
import { platformOf } from './platform-of.ts'
import type { TargetOptions } from './target.ts'

export const kubetoken =
  (ports: Pick<Ports, 'clusters' | 'home' | 'platforms'>) =>
  (reach: TargetOptions, env: ShellVariables, signal: AbortSignal): Promise<Result<ExecCredential>> => {
    const only = { what: 'kubetoken', instead: 'kubectl has the credentials of its own contexts' }
    const work = pipe(
      platformOf(ports)(only, reach, env),
      TE.flatMap(({ platform }) => ports.platforms.send(platform, 'createCredential', {}, signal)),
      TE.map((credential) => ({ findings: [], value: execCredential(credential) })),
    )
    return answer(work)
  }
