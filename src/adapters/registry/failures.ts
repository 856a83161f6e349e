/** Errors of a registry, as findings. None contains a credential, a token, or text from the registry. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { TokenFailure } from '../../ports/credentials.ts'
import type { Unanswered } from '../http/send.ts'

/** `actions` as in a registry's scope. `isKnown`: the Docker configuration has credentials for the host. */
export type RegistryRequest = {
  readonly host: string
  readonly repository: string
  readonly actions: 'pull' | 'pull,push'
  readonly isKnown: boolean
}

export const interrupted = (): Diagnostic => error('DT4016', 'the request to the registry was interrupted')

export const denied = ({ actions, host, isKnown, repository }: RegistryRequest, more = ''): Diagnostic => {
  const deed = actions === 'pull' ? 'read' : 'change'
  const why = isKnown
    ? 'the credentials of the Docker configuration are wrong, or do not allow it'
    : 'the Docker configuration has no credentials for it'
  const help = host === 'docker.io' ? 'docker login' : `docker login ${host}`
  const tail = more === '' ? '' : ` (${more})`
  return error('DT4012', `${host} does not allow us to ${deed} ${repository}: ${why}${tail}`, {
    help: `\`${help}\` stores others`,
  })
}

const helpOf = (host: string, { because }: Unanswered): string | undefined => {
  if (because === 'Untrusted') {
    return 'set SSL_CERT_FILE or NODE_EXTRA_CA_CERTS to a file with the certificate authority'
  }
  return because === 'NotTls'
    ? `there are credentials for it, and they are not sent without TLS: give it a certificate, or \`docker logout ${host}\``
    : undefined
}

export const unreachable = (host: string, none: Unanswered): Diagnostic =>
  error('DT4013', `the registry ${host} cannot be reached: ${none.text}`, { help: helpOf(host, none) })

/** The registry responded, but not with what was requested. */
export const unusable = (host: string, cause: string): Diagnostic =>
  error('DT4013', `the registry ${host} gave an unusable response: ${cause}`)

export const withoutToken = (wanted: RegistryRequest, { _tag, cause }: TokenFailure): Diagnostic => {
  switch (_tag) {
    case 'Aborted':
      return interrupted()
    case 'Denied':
      return denied(wanted, cause)
    case 'Unreachable':
    case 'Unusable':
      return error('DT4013', `the registry ${wanted.host} requires a token, but none could be obtained: ${cause}`)
  }
}
