/** A user's decision about the login of a terminal, kept until that terminal asks for it. */
import { type JsonObject, textsAt } from '../../cluster/json.ts'
import { type ClusterObject, labelOf } from '../../cluster/live.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../../k8s/labels.ts'
import { decodeBase64 } from '../../text/base64.ts'
import { sha256 } from '../../text/sha256.ts'
import { USERS_NAMESPACE } from '../names.ts'

/** `uid`: that of the Secret. */
export type Approval = {
  readonly uid: string
  readonly name: string
  readonly user: string
  readonly isAllowed: boolean
  readonly expires: string
  /** The epoch of the user at that time. */
  readonly epoch: string
}

/** `key`: identifies the terminal. */
export const approvalNameOf = (key: string): string => `login-${sha256(key).slice(0, 32)}`

export const approvalObject = (
  key: string,
  { epoch, expires, isAllowed, user }: Pick<Approval, 'user' | 'isAllowed' | 'expires' | 'epoch'>,
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: {
    name: approvalNameOf(key),
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'login', [OWNER_LABEL]: user },
  },
  stringData: { decision: isAllowed ? 'allow' : 'deny', expires, epoch },
})

export const approvalIn = (secret: ClusterObject): Approval => {
  const decoder = new TextDecoder()
  const fields = new Map([...textsAt(secret, 'data')].map(([key, text]) => [key, decoder.decode(decodeBase64(text))]))
  const { name, uid } = secret.metadata
  return {
    uid,
    name,
    user: labelOf(secret, OWNER_LABEL) ?? '',
    isAllowed: fields.get('decision') === 'allow',
    expires: fields.get('expires') ?? '',
    epoch: fields.get('epoch') ?? '',
  }
}
