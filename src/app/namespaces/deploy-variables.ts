/** Variables and default settings that a platform gives to a project. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { type Json, textsAt } from '../../domain/cluster/json.ts'
import { type FileContent, textContent } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { noNamespace } from '../context/platform-login.ts'
import { platformSettings } from '../context/platform-settings.ts'
import type { Settings } from '../project/settings.ts'

type DeployVariables = ReadonlyMap<string, string>

/** Users who may only view the namespace may not read its variables, and get none. */
export const deployVariables =
  ({ platforms }: Pick<Ports, 'platforms'>) =>
  (login: PlatformLogin, namespace: string, signal: AbortSignal): TE.TaskEither<Diagnostic, DeployVariables> =>
    pipe(
      platforms.send(login, 'readVariables', { params: { namespace } }, signal),
      TE.map(({ variables }): DeployVariables => new Map(variables.map(({ name, value }) => [name, value]))),
      TE.orElse((failure) => {
        if (failure.code === 'DT6003') return TE.of<Diagnostic, DeployVariables>(new Map())
        return TE.left(failure.code === 'DT6004' ? noNamespace(login.url, namespace) : failure)
      }),
    )

/** In a run on the platform, the variables are in a file that the runner wrote: a JSON object of strings. */
export const mountedVariables = (
  { files }: Pick<Ports, 'files'>,
  path: string,
): TE.TaskEither<Diagnostic, DeployVariables> =>
  pipe(
    TE.fromTask<FileContent, Diagnostic>(files.read(path, {})),
    TE.flatMapEither((content) =>
      pipe(
        E.tryCatch(
          (): Json => JSON.parse(C.valueOf(textContent(path, content, undefined)) ?? ''),
          () => error('DT6011', `${path} does not hold variables`),
        ),
        E.map((json) => textsAt(json)),
      ),
    ),
  )

export type PlatformDefaults = { readonly variables: DeployVariables; readonly defaults: Partial<Settings> }

/** For a dry run, which contacts no cluster. */
export const platformDefaults =
  (ports: Pick<Ports, 'platforms'>) =>
  (login: PlatformLogin, namespace: string, signal: AbortSignal): TE.TaskEither<Diagnostic, PlatformDefaults> =>
    pipe(
      TE.Do,
      TE.apS('variables', deployVariables(ports)(login, namespace, signal)),
      TE.apS('defaults', platformSettings(ports)(login, signal)),
    )
