/** Pushes images from the image store of the Docker daemon. */

import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { showDockerHost } from '../../domain/build/docker-host.ts'
import type { BuildEvent } from '../../domain/build/event.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { repositoryOf } from '../../domain/build/names.ts'
import { splitReference } from '../../domain/build/reference.ts'
import { type Json, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import { checkImage } from '../../domain/text/image.ts'
import type { Credentials, RegistryCredential } from '../../ports/credentials.ts'
import { askDocker, refusalIn, within } from './api.ts'
import type { Daemon } from './link.ts'
import { type DaemonFailure, readMessages } from './messages.ts'
import { pushEvents } from './push-events.ts'

/** `silenceMs`: how long the daemon may be silent. */
type Pushing = Daemon & { readonly silenceMs?: number }

/** `digest` of the manifest, as the registry has it. */
export type Pushed = { readonly digest?: string }

type Tell = (events: ReadonlyArray<BuildEvent>) => void

/** The daemon itself gives up on a registry earlier, after a few attempts. */
const longestSilenceMs = 300_000

type Name = { readonly registry: string; readonly repository: string; readonly tag: string }

/** Left: why the name cannot be pushed. */
const readName = (reference: string): E.Either<string, Name> =>
  pipe(
    checkImage(reference),
    E.mapLeft(({ message }) => message),
    E.filterOrElse(
      () => !reference.includes('@'),
      () => 'a digest cannot be pushed to, only a tag',
    ),
    E.map(() => {
      const { registry, tag = 'latest' } = splitReference(reference)
      return { registry: registry || 'docker.io', repository: repositoryOf(reference), tag }
    }),
  )

const pathOf = (image: string): string => image.split('/').map(encodeURIComponent).join('/')

const memberOf = ({ registryToken, secret, username }: RegistryCredential): Readonly<Record<string, string>> => {
  if (secret === '' && registryToken !== undefined) return { registrytoken: registryToken }
  return username === '' ? { identitytoken: secret } : { username, password: secret }
}

/** With padding: older daemons ignore the header without it and push anonymously. */
const authOf = (registry: string, credential: RegistryCredential | undefined): string => {
  const serveraddress = registry === 'docker.io' ? 'https://index.docker.io/v1/' : registry
  const who = credential === undefined ? {} : { ...memberOf(credential), serveraddress }
  return Buffer.from(JSON.stringify(who)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

const digestForm = /^sha256:[0-9a-f]{64}$/

type PushResult = DaemonFailure | { readonly _tag: 'Pushed'; readonly digest?: string }

const follow = async (
  response: IncomingMessage,
  heard: () => void,
  tell: (json: Json) => void,
): Promise<PushResult> => {
  let digest: string | undefined
  const failure = await readMessages(response, 'the push', {
    heard,
    tell: (message) => {
      const said = textAt(message, 'aux', 'Digest')
      if (said !== undefined && digestForm.test(said)) digest = said
      tell(message)
    },
  })
  return failure ?? { _tag: 'Pushed', ...defined({ digest }) }
}

const pushing = async (
  daemon: Daemon,
  { registry, repository, tag }: Name,
  credentials: Credentials,
  options: { readonly signal: AbortSignal; readonly heard: () => void; readonly tell: (json: Json) => void },
): Promise<PushResult> => {
  const auth = authOf(registry, await credentials.of(registry))
  const path = `/images/${pathOf(repository)}/push?tag=${encodeURIComponent(tag)}`
  const answer = await askDocker(
    daemon,
    { method: 'POST', path, headers: { 'x-registry-auth': auth } },
    options.signal,
  )()
  if (E.isLeft(answer)) return { _tag: 'Lost', cause: answer.left }
  if (answer.right._tag === 'Upgraded') {
    answer.right.socket.destroy()
    return { _tag: 'Lost', cause: 'the Docker daemon did not report a push' }
  }
  options.heard()
  const { response } = answer.right
  if (response.statusCode !== 200) return { _tag: 'Refused', message: await refusalIn(response) }
  return follow(response, options.heard, options.tell)
}

/** Pushes one name that the image already has in the store. `tell` reports it as a step with its layers. */
export const pushImage =
  (
    { silenceMs = longestSilenceMs, ...daemon }: Pushing,
    reference: string,
    credentials: Credentials,
    tell: Tell,
    signal: AbortSignal,
  ): TE.TaskEither<BuildFailure, Pushed> =>
  async () => {
    const name = readName(reference)
    if (E.isLeft(name)) return E.left({ _tag: 'NotPushed', name: reference, message: name.left })
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    const events = pushEvents(reference, daemon.clock.wallMs)
    tell([events.started()])
    const { isLate, value: ended } = await within(daemon.clock, silenceMs, signal, (inner, heard) =>
      pushing(daemon, name.right, credentials, {
        signal: inner,
        heard,
        tell: (json) => {
          const news = events.of(json)
          if (news.length > 0) tell(news)
        },
      }),
    )
    if (ended._tag === 'Pushed') {
      tell([events.ended()])
      return E.right(defined({ digest: ended.digest }))
    }
    const address = showDockerHost(daemon.host)
    const cause = isLate ? `no message from the Docker daemon for ${silenceMs / 1000} s` : causeIn(ended)
    tell([events.ended(signal.aborted ? 'interrupted' : cause)])
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    if (isLate) return E.left({ _tag: 'Silent', address, afterMs: silenceMs, isAtStart: false })
    if (ended._tag === 'Lost') return E.left({ _tag: 'Lost', address, cause })
    return E.left({ _tag: 'NotPushed', name: reference, message: cause })
  }

const causeIn = (ended: Exclude<PushResult, { readonly _tag: 'Pushed' }>): string =>
  ended._tag === 'Lost' ? ended.cause : ended.message
