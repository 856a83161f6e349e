/** `context delete`: the stored settings of a context, with the token of its login. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { contextName, storedContext, withoutContext } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { revokeOwn } from '../login/revoke.ts'
import { answer, type Result } from '../result.ts'
import { type ContextPorts, type ContextQuery, changeStore, isInKubeconfig, known, unknown } from './contexts.ts'

const foreign = (name: string): Diagnostic =>
  error('DT2108', `context "${name}" exists only in the kubeconfig, which devtool does not change`, {
    help: `\`kubectl config delete-context ${name}\` deletes it there`,
  })

export type ContextDeleted = { readonly name: string; readonly isInKubeconfig: boolean }

/**
 * Finds DT2108, also for a context that exists only in the kubeconfig: that file is not ours to change. The token of a
 * login is revoked.
 */
export const deleteContext =
  (ports: ContextPorts & Pick<Ports, 'platforms'>) =>
  (text: string, look: ContextQuery, signal: AbortSignal): Promise<Result<ContextDeleted>> => {
    const name = contextName(text)
    const work = pipe(
      known(ports, look.kubeconfig),
      TE.filterOrElse(
        ({ store }) => withoutContext(store, name).isFound,
        (found) => (isInKubeconfig(found, name) ? foreign(name) : unknown(name, found)),
      ),
      TE.tap(() => changeStore(ports, (store) => withoutContext(store, name).store)),
      TE.bindTo('found'),
      TE.bind('findings', ({ found: { store } }) => TE.fromTask(revokeOwn(ports)(storedContext(store, name), signal))),
      TE.map(({ findings, found }) => ({ findings, value: { name, isInKubeconfig: isInKubeconfig(found, name) } })),
    )
    return answer(work)
  }
