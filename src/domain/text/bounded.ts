/** Messages of servers, which may be as long as they like: what matters stands at their ends. */
const longest = 8_192

export const bounded = (message: string): string =>
  message.length <= longest ? message : `${message.slice(0, longest / 2)} … ${message.slice(-longest / 2)}`
