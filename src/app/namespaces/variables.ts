/** Variables of a platform: those of a namespace, and those for all namespaces, which administrators set. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { VariableList } from '../../domain/platform/listings.ts'
import type { PlatformPlace } from '../context/platform-of.ts'
import type { Result } from '../result.ts'
import { inNamespace, onPlatform, type TeamCall, type TeamPorts } from './namespaces.ts'

/** `isForAll`: of all namespaces. */
export type VariableCall = TeamCall & { readonly isForAll: boolean }

export const listVariables =
  (ports: TeamPorts) =>
  (call: VariableCall): Promise<Result<VariableList>> => {
    const { isForAll, signal } = call
    const list = ({ namespace, platform }: PlatformPlace): TE.TaskEither<Diagnostic, VariableList> =>
      isForAll
        ? pipe(
            ports.platforms.send(platform, 'listSharedVariables', {}, signal),
            TE.map(({ variables }) => ({ variables: variables.map((one) => ({ ...one, scope: 'all' as const })) })),
          )
        : ports.platforms.send(platform, 'listVariables', { params: { namespace } }, signal)
    return (isForAll ? onPlatform : inNamespace)(ports, call)(list)
  }

/** `namespace` is absent for a variable of all namespaces. */
export type VariableChanged = { readonly name: string; readonly namespace?: string }

const changed = (name: string, { namespace }: PlatformPlace, isForAll: boolean): VariableChanged =>
  isForAll ? { name } : { name, namespace }

export type NewVariable = { readonly name: string; readonly value: string; readonly inPreviews: boolean }

export const setVariable =
  (ports: TeamPorts) =>
  ({ inPreviews, name, value }: NewVariable, call: VariableCall): Promise<Result<VariableChanged>> => {
    const { isForAll, signal } = call
    const set = (place: PlatformPlace): TE.TaskEither<Diagnostic, VariableChanged> => {
      const { namespace, platform } = place
      const sent = isForAll
        ? ports.platforms.send(platform, 'setSharedVariable', { params: { name }, body: { value, inPreviews } }, signal)
        : ports.platforms.send(platform, 'setVariable', { params: { namespace, name }, body: { value } }, signal)
      return pipe(
        sent,
        TE.map(() => changed(name, place, isForAll)),
      )
    }
    return (isForAll ? onPlatform : inNamespace)(ports, call)(set)
  }

export const unsetVariable =
  (ports: TeamPorts) =>
  (name: string, call: VariableCall): Promise<Result<VariableChanged>> => {
    const { isForAll, signal } = call
    const unset = (place: PlatformPlace): TE.TaskEither<Diagnostic, VariableChanged> => {
      const { namespace, platform } = place
      const sent = isForAll
        ? ports.platforms.send(platform, 'unsetSharedVariable', { params: { name } }, signal)
        : ports.platforms.send(platform, 'unsetVariable', { params: { namespace, name } }, signal)
      return pipe(
        sent,
        TE.map(() => changed(name, place, isForAll)),
      )
    }
    return (isForAll ? onPlatform : inNamespace)(ports, call)(unset)
  }
