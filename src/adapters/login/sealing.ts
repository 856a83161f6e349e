/** Seals texts as encrypted JSON Web Tokens (RFC 7519). */
import { createHash } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { isObject, type Json, type JsonObject } from '../../domain/cluster/json.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sealing } from '../../ports/sealing.ts'

/** `key`: any text; the same for every replica. */
export const jweSealing = (key: string, { wallMs }: Pick<Clock, 'wallMs'>): Sealing => {
  const secret = createHash('sha256').update(key).digest()
  const seal = (purpose: string, content: JsonObject, seconds: number): Promise<string> =>
    new EncryptJWT({ content, until: wallMs() + seconds * 1000 })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(purpose)
      .encrypt(secret)
  const open = async (purpose: string, text: string): Promise<JsonObject | undefined> => {
    try {
      const { payload } = await jwtDecrypt(text, secret, {
        audience: purpose,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      const { content, until } = payload
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was JSON
      const json = content as Json | undefined
      return typeof until === 'number' && wallMs() < until && isObject(json) ? json : undefined
    } catch {
      return undefined
    }
  }
  return {
    seal: (purpose, content, seconds) => () => seal(purpose, content, seconds),
    open: (purpose, text) => () => open(purpose, text),
  }
}
