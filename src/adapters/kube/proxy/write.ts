/**
 * Requests that may create an object. A new object in the environment's namespace gets the label: in the request if its
 * body is text, afterwards if not. An existing object is passed on unchanged, except that one with the label keeps it,
 * since clients that replace or re-apply an object would remove it unknowingly.
 */

import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, textAt } from '../../../domain/cluster/json.ts'
import { ENVIRONMENT_LABEL } from '../../../domain/k8s/labels.ts'
import { labelText } from '../../../domain/labelling/label.ts'
import { type CreatedObject, readMade } from '../../../domain/labelling/made.ts'
import { readProtobufMade } from '../../../domain/labelling/protobuf.ts'
import { type Intent, isReadable, type LabelTarget, targetPath } from '../../../domain/labelling/request.ts'
import { defined } from '../../../domain/object/defined.ts'
import type { Created } from '../../../ports/cluster.ts'
import type { ApiTransport, UpstreamRequest } from '../api/transport.ts'
import { type ProxyAnswer, readAnswer, unreachable } from './answer.ts'
import { acceptsJson, type Headers, headerOf } from './headers.ts'

/** The namespace and the environment that commands run for. */
export type ProxyScope = { readonly context: string; readonly namespace: string; readonly environment: string }

export type ProxyWrite = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  readonly intent: Exclude<Intent, { readonly _tag: 'Pass' }>
}

export type CreationLog = { readonly record: (created: Created) => void; readonly has: (uid: string) => boolean }

/** What existed before the request. Unknown: no permission to read it. */
type Before = 'Absent' | 'Labelled' | 'Other' | 'Unknown'

// Admission webhooks may take half a minute each; the server itself gives up after a minute.
const idleMs = 70_000
const asJson = { accept: ['application/json'] } as const

const parsed = (body: Buffer): Json | undefined => {
  try {
    const json: Json = JSON.parse(body.toString())
    return json
  } catch {
    return undefined
  }
}

const textOf = (body: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

const send = async (upstream: ApiTransport, request: UpstreamRequest): Promise<ProxyAnswer> => {
  const opened = await upstream.open({ idleMs, ...request })()
  if (E.isLeft(opened)) return unreachable(upstream.server, opened.left.cause)
  try {
    return await readAnswer(opened.right)
  } catch (cause) {
    return unreachable(upstream.server, cause instanceof Error ? cause.message : String(cause))
  }
}

const readBefore = async (upstream: ApiTransport, target: LabelTarget, environment: string): Promise<Before> => {
  const headers = { accept: ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', ...asJson.accept] }
  const { body, status } = await send(upstream, { method: 'GET', path: targetPath(target), headers })
  if (status === 404) return 'Absent'
  if (status !== 200) return 'Unknown'
  return textAt(parsed(body), 'metadata', 'labels', ENVIRONMENT_LABEL) === environment ? 'Labelled' : 'Other'
}

/** Changes only the object with this uid. `undefined` removes the label. */
const relabel = (
  upstream: ApiTransport,
  target: LabelTarget,
  { name, uid }: CreatedObject,
  environment: string | undefined,
  accept: ReadonlyArray<string>,
): Promise<ProxyAnswer> =>
  send(upstream, {
    method: 'PATCH',
    path: `${targetPath({ ...target, name })}?fieldManager=devtool-owner`,
    headers: { accept, 'content-type': ['application/merge-patch+json'] },
    body: JSON.stringify({ metadata: { uid, labels: { [ENVIRONMENT_LABEL]: environment ?? null } } }),
  })

const madeIn = async (
  upstream: ApiTransport,
  { name, ...target }: LabelTarget,
  { body }: ProxyAnswer,
): Promise<CreatedObject | undefined> => {
  const answered = parsed(body)
  const made = isObject(answered) ? readMade(answered) : readProtobufMade(body)
  if (made !== undefined || name === undefined) return made
  const read = await send(upstream, { method: 'GET', path: targetPath({ ...target, name }), headers: asJson })
  const object = parsed(read.body)
  return object === undefined ? undefined : readMade(object)
}

const createdOf = (
  { group, namespace, plural, version }: LabelTarget,
  { kind, name, uid }: CreatedObject,
  scope: ProxyScope,
): Created => ({
  group,
  version,
  plural,
  kind,
  name,
  uid,
  ...defined({ namespace }),
  isForeign: namespace !== scope.namespace,
})

type WriteResult = { readonly before: Before; readonly isLabelled: boolean; readonly answer: ProxyAnswer }

const sendOn = async (upstream: ApiTransport, scope: ProxyScope, writing: ProxyWrite): Promise<WriteResult> => {
  const { body, headers, intent, method, path } = writing
  const { target } = intent
  const isOwn = target.namespace === scope.namespace
  const looks = isOwn && intent._tag === 'Put'
  const before = looks ? await readBefore(upstream, target, scope.environment) : isOwn ? 'Absent' : 'Unknown'
  const wantsLabel = before === 'Absent' || before === 'Labelled'
  const isText = isReadable(headerOf(headers, 'content-type')) && headers['content-encoding'] === undefined
  const text = wantsLabel && isText ? textOf(body) : undefined
  const labelled = text === undefined ? undefined : labelText(text, ENVIRONMENT_LABEL, scope.environment)
  const bytes = labelled === undefined ? body : Buffer.from(labelled)
  const { 'accept-encoding': _encoding, 'content-length': _length, ...kept } = headers
  const answer = await send(upstream, {
    method,
    path,
    headers: { ...kept, ...(acceptsJson(headers) ? asJson : {}), 'content-length': [String(bytes.length)] },
    body: bytes,
  })
  return { before, isLabelled: labelled !== undefined, answer }
}

/**
 * The response for the client. If the label was added afterwards it is the labelled object, in the encoding the client
 * asked for: the resourceVersion of the first response would be outdated for further writes.
 */
export const carryOut =
  (upstream: ApiTransport, scope: ProxyScope, creations: CreationLog) =>
  async (writing: ProxyWrite): Promise<ProxyAnswer> => {
    const { target } = writing.intent
    const { answer, before, isLabelled } = await sendOn(upstream, scope, writing)
    const isNew = answer.status === 201
    const isMeanwhile = answer.status === 200 && before === 'Absent' && writing.intent._tag === 'Put'
    const mustKeep = answer.status === 200 && before === 'Labelled' && !isLabelled
    if (!isNew && !isMeanwhile && !mustKeep) return answer
    const made = await madeIn(upstream, target, answer)
    if (made === undefined || made.isControlled) return answer
    if (isNew) creations.record(createdOf(target, made, scope))
    if (isMeanwhile && isLabelled && !creations.has(made.uid))
      await relabel(upstream, target, made, undefined, asJson.accept)
    if (isMeanwhile || isLabelled || target.namespace !== scope.namespace) return answer
    const after = await relabel(upstream, target, made, scope.environment, writing.headers['accept'] ?? asJson.accept)
    return after.status === 200 ? { ...after, status: answer.status } : answer
  }
