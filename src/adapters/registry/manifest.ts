/** Manifests of images, as registries keep them. */
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Reference, showReference } from '../../domain/build/reference.ts'
import { isObject, type Json, textAt } from '../../domain/cluster/json.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { HttpRequest, HttpResponse } from '../http/client.ts'
import type { Ask } from './ask.ts'
import { unusable } from './failures.ts'

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

const digestForm = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/

export const saidDigest = ({ header }: HttpResponse): string | undefined => {
  const said = header('docker-content-digest')
  return said !== undefined && digestForm.test(said) ? said : undefined
}

const pathOf = ({ digest, repository, tag }: Reference): string =>
  `/v2/${repository}/manifests/${digest ?? tag ?? 'latest'}`

type ManifestRequest = {
  readonly reference: Reference
  readonly method: HttpRequest['method']
  readonly signal: AbortSignal
}

export const askFor = (ask: Ask, { method, reference, signal }: ManifestRequest): ReturnType<Ask> => {
  const { host, repository } = reference
  const asking = { method, path: pathOf(reference), headers: { accept: manifestTypes.join(', ') } }
  return ask({ host, repository, actions: 'pull', asking }, signal)
}

export type StoredManifest = {
  readonly bytes: Uint8Array
  readonly digest: string
  readonly type: string
  readonly json: Json
}

export const saidType = ({ header }: HttpResponse): string | undefined =>
  header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()

/** The error page of a gateway is not a manifest, whatever its status. */
export const isManifestType = (type: string | undefined): type is string =>
  type !== undefined && manifestTypes.includes(type)

/** `undefined` when it is not a manifest. */
const manifestIn = (bytes: Uint8Array): Json | undefined => {
  try {
    const json: Json = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(json) && json['schemaVersion'] === 2 ? json : undefined
  } catch {
    return undefined
  }
}

/**
 * `undefined` when there is none. The content must match the digest that was requested, and the one the registry names.
 */
const manifestOf = (reference: Reference, answer: HttpResponse): E.Either<Diagnostic, StoredManifest | undefined> => {
  const { body, status } = answer
  if (status === 404) return E.right(undefined)
  if (status !== 200) return E.left(unusable(reference.host, `status ${status}`))
  const manifest = manifestIn(body)
  const type = saidType(answer) ?? textAt(manifest, 'mediaType')
  if (manifest === undefined || !isManifestType(type)) {
    return E.left(unusable(reference.host, `what it has as ${showReference(reference)} is not an image manifest`))
  }
  const own = `sha256:${createHash('sha256').update(body).digest('hex')}`
  const named = [saidDigest(answer), reference.digest].filter((digest) => digest?.startsWith('sha256:') === true)
  if (named.some((digest) => digest !== own)) {
    return E.left(unusable(reference.host, `the manifest of ${showReference(reference)} does not match its digest`))
  }
  return E.right({ bytes: body, digest: own, type, json: manifest })
}

export const fetchManifest = (
  ask: Ask,
  reference: Reference,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, StoredManifest | undefined> =>
  pipe(
    askFor(ask, { reference, method: 'GET', signal }),
    TE.flatMapEither((answer) => manifestOf(reference, answer)),
  )

export const notTagged = (to: Reference, cause: string): Diagnostic => error('DT4011', `${showReference(to)}: ${cause}`)

export const putManifest = (
  ask: Ask,
  to: Reference,
  { bytes, type }: StoredManifest,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, void> => {
  const { host, repository } = to
  const asking = { method: 'PUT', path: pathOf(to), headers: { 'content-type': type }, body: bytes } as const
  return pipe(
    ask({ host, repository, actions: 'pull,push', asking }, signal),
    TE.flatMap(({ status }) =>
      status >= 200 && status < 300 ? TE.right(undefined) : TE.left(notTagged(to, `the registry answers ${status}`)),
    ),
  )
}
