/** A release as Helm stores it: a Secret with gzipped JSON, base64-encoded twice. */
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { decodeBase64 } from '../text/base64.ts'
import { gunzip } from './gzip.ts'

/** `manifest`: the YAML of everything installed, without hooks. */
export type Release = { readonly name: string; readonly namespace: string; readonly manifest: string }

const decode = (text: string): string | undefined => {
  const bytes = decodeBase64(text)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

const isZipped = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

const parse = (bytes: Uint8Array): Json | undefined => {
  const text = E.tryCatch(
    (): Json => JSON.parse(isZipped(bytes) ? gunzip(bytes) : new TextDecoder().decode(bytes)),
    () => undefined,
  )
  return E.isRight(text) ? text.right : undefined
}

/** `undefined` when it was not written by Helm, or has an unknown format. */
export const readRelease = (secret: ClusterObject): Release | undefined => {
  const inner = decode(textAt(secret, 'data', 'release') ?? '')
  const bytes = inner === undefined ? undefined : decodeBase64(inner)
  const json = bytes === undefined ? undefined : parse(bytes)
  const [name, manifest] = [textAt(json, 'name'), textAt(json, 'manifest')]
  if (!isObject(json) || name === undefined || manifest === undefined) return undefined
  return { name, manifest, namespace: textAt(json, 'namespace') ?? '' }
}
