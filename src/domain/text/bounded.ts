/** Cuts messages of servers and what is quoted from files, which can have any length: the ends are the important parts. */
const longest = 8_192
/** What a finding adds to a text that is cut already must not cut it again. */
const room = 1_024

export const bounded = (message: string): string =>
  message.length <= longest + room
    ? message
    : `${message.slice(0, longest / 2)} … (${message.length} characters) … ${message.slice(-longest / 2)}`
