/** What Helm remembers of a release: a Secret with gzipped JSON, in base64 twice. */
import { gunzipSync } from 'fflate'
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { decodeBase64 } from '../text/base64.ts'

/** `manifest`: the YAML of all that was installed, hooks apart. */
export type Release = { readonly name: string; readonly namespace: string; readonly manifest: string }

const decode = (text: string): string | undefined => {
  const bytes = decodeBase64(text)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

const isZipped = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

const parse = (bytes: Uint8Array): Json | undefined => {
  const text = E.tryCatch(
    (): Json => JSON.parse(new TextDecoder().decode(isZipped(bytes) ? gunzipSync(bytes) : bytes)),
    () => undefined,
  )
  return E.isRight(text) ? text.right : undefined
}

/** `undefined` for what Helm has not written, or writes in another way by now. */
export const readRelease = (secret: ClusterObject): Release | undefined => {
  const inner = decode(textAt(secret, 'data', 'release') ?? '')
  const bytes = inner === undefined ? undefined : decodeBase64(inner)
  const json = bytes === undefined ? undefined : parse(bytes)
  const [name, manifest] = [textAt(json, 'name'), textAt(json, 'manifest')]
  if (!isObject(json) || name === undefined || manifest === undefined) return undefined
  return { name, manifest, namespace: textAt(json, 'namespace') ?? '' }
}
