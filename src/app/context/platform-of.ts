/** The platform of the context that a command uses, for commands that only a platform carries out. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { type LocatedTarget, locate, type ShellVariables } from './locate.ts'
import type { TargetOptions } from './target.ts'

/** `what`: the command; `instead`: what to do on a plain cluster. */
export type PlatformOnly = { readonly what: string; readonly instead: string }

export type PlatformPlace = LocatedTarget & { readonly platform: PlatformLogin }

/** Fails like {@link locate}, and with DT2107 on a plain cluster. */
export const platformOf =
  (ports: Pick<Ports, 'clusters' | 'home'>) =>
  (
    { instead, what }: PlatformOnly,
    reach: TargetOptions,
    env: ShellVariables,
  ): TE.TaskEither<Diagnostic, PlatformPlace> =>
    pipe(
      locate(ports)(reach, env),
      TE.flatMap((place) => {
        const { context, platform } = place
        return platform === undefined
          ? TE.left(
              error('DT2107', `\`devtool ${what}\` requires a platform, and ${context} is a plain cluster`, {
                help: instead,
              }),
            )
          : TE.right({ ...place, platform })
      }),
    )
