/** The response from an address, or why there was none. */

/**
 * Silent `because`: the name does not resolve, the connection was refused, TLS failed, it timed out, or something else
 * went wrong.
 */
type Silent = {
  readonly _tag: 'Silent'
  readonly because: 'UnknownName' | 'Refused' | 'Untrusted' | 'TimedOut' | 'Broken'
  /** The system's message. */
  readonly text: string
}

/** `status`: the HTTP status. */
export type EndpointAnswer = { readonly _tag: 'Answered'; readonly status: number; readonly ms: number } | Silent

export type Reached = { readonly _tag: 'Open' } | Silent

/** Why this machine cannot listen on a port. `by`: the program that does, when it is known. */
export type ListenFailure = {
  readonly because: 'Taken' | 'Forbidden' | 'Broken'
  readonly text: string
  readonly by?: string
}

/**
 * Statuses with which a proxy answers when what is behind it does not. The application can be such a proxy itself: the
 * answer does not tell which of the two it is from.
 */
const unanswered: ReadonlyMap<number, string> = new Map([
  [502, 'the Ingress, or the application itself, reaches no program behind it: wrong port, or wrong protocol'],
  [503, 'the Ingress has no ready pod to send the request to, or the application itself says so'],
  [504, 'the Ingress, or the application itself, gets no answer in time from what is behind it'],
])

/** `undefined`: the application itself answered. */
export const whyUnanswered = (status: number): string | undefined => unanswered.get(status)

/** In a few words, for a table. */
export const showAnswer = (answer: EndpointAnswer): string => {
  if (answer._tag === 'Answered') {
    const why = whyUnanswered(answer.status)
    return why === undefined ? `yes, ${answer.status}` : `no, ${answer.status}: ${why}`
  }
  switch (answer.because) {
    case 'UnknownName':
      return 'no, the name does not resolve'
    case 'Refused':
      return 'no, connection refused'
    case 'Untrusted':
      return `no, TLS failed: ${answer.text}`
    case 'TimedOut':
      return 'no, timed out'
    case 'Broken':
      return `no, ${answer.text}`
  }
}
