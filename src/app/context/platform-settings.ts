/** A platform's settings for all its namespaces. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Settings } from '../project/settings.ts'

const full = (text: string): string | undefined => (text === '' ? undefined : text)

export const platformSettings =
  ({ platforms }: Pick<Ports, 'platforms'>) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, Partial<Settings>> =>
    pipe(
      platforms.send(login, 'meta', {}, signal),
      TE.map(({ domain, registry }) => defined({ domain: full(domain), registry: full(registry) })),
    )
