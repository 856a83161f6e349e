/** The secrets of an installation: existing ones are kept. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { textAt } from '../../domain/cluster/json.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OIDC_SECRET, SESSION_SECRET } from '../../domain/platform/manifests/installation.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { encodeBase64, encodeBase64Text } from '../../domain/text/base64.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { readText } from './text-file.ts'

type KeyPorts = Pick<Ports, 'files' | 'random'>
type KeyRequest = {
  readonly target: Pick<Target, 'cluster'>
  readonly secretFile?: string
  readonly signal: AbortSignal
}

const secretIn = (ports: KeyPorts, path: string): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  pipe(
    readText(ports, path),
    TE.map((text) => text.trim()),
    TE.filterOrElse(
      (text) => text !== '',
      (): ReadonlyArray<Diagnostic> => [
        error('DT6304', `--oidc-secret: ${path} is empty`, { help: 'write the secret of the OIDC client into it' }),
      ],
    ),
    TE.map(encodeBase64Text),
  )

const keptIn = (
  { signal, target: { cluster } }: KeyRequest,
  name: string,
  key: string,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string | undefined> =>
  pipe(
    TE.mapLeft(failureDiagnostic)(
      cluster.get({ resource: resources.Secret, namespace: SYSTEM_NAMESPACE, name }, signal),
    ),
    TE.mapBoth(
      (failure) => [failure],
      (live) => textAt(live, 'data', key),
    ),
  )

/** The client secret in the file, or that of the existing installation. */
export const clientSecretOf = (
  ports: KeyPorts,
  request: KeyRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  request.secretFile === undefined
    ? pipe(
        keptIn(request, OIDC_SECRET, 'client-secret'),
        TE.flatMapEither(
          E.fromNullable([
            error('DT6304', 'the first installation needs the secret of the OIDC client', {
              help: 'write it to a file and name that with --oidc-secret FILE',
            }),
          ]),
        ),
      )
    : secretIn(ports, request.secretFile)

/** The key is kept: with a new one everybody would have to log in again. */
export const sessionKeyOf = (
  { random }: KeyPorts,
  request: KeyRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  pipe(
    keptIn(request, SESSION_SECRET, 'key'),
    // The file holds the key as base64, which the Secret encodes once more.
    TE.map((there) => there ?? encodeBase64Text(encodeBase64(random.bytes(32)))),
  )
