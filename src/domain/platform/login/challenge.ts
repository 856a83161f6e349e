/** PKCE (RFC 7636): whoever completes a login has to present the secret (verifier) whose hash (challenge) began it. */
import { encodeBase64 } from '../../text/base64.ts'
import { sha256Bytes } from '../../text/sha256.ts'

/** SHA-256 as base64url without padding. */
export const challengeOf = (verifier: string): string =>
  encodeBase64(sha256Bytes(verifier)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
