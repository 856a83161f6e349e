/** Binds the address of an administrator whom the installation names to an account: the first that logs in with it. */
import type { JsonObject } from '../cluster/json.ts'
import { textsAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../k8s/labels.ts'
import { decodeBase64 } from '../text/base64.ts'
import { sha256 } from '../text/sha256.ts'
import { USERS_NAMESPACE } from './names.ts'

/** `isGranted`: the account was made an administrator. That happens only once, since others may revoke it later. */
export type AdminPin = { readonly user: string; readonly isGranted: boolean }

export const pinNameOf = (email: string): string => `admin-${sha256(email.toLowerCase()).slice(0, 32)}`

export const pinObject = (
  email: string,
  { issuer, subject, user }: { readonly issuer: string; readonly subject: string; readonly user: string },
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: {
    name: pinNameOf(email),
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'admin', [OWNER_LABEL]: user },
  },
  stringData: { email, issuer, subject, user, granted: 'false' },
})

export const grantedPin = (): JsonObject => ({ stringData: { granted: 'true' } })

export const pinIn = (secret: ClusterObject): AdminPin => {
  const decoder = new TextDecoder()
  const fields = new Map([...textsAt(secret, 'data')].map(([key, text]) => [key, decoder.decode(decodeBase64(text))]))
  return { user: fields.get('user') ?? '', isGranted: fields.get('granted') === 'true' }
}
