/** Cuts messages of servers, which can have any length, in the middle: the important parts are at the ends. */
const longest = 8_192

export const bounded = (message: string): string =>
  message.length <= longest ? message : `${message.slice(0, longest / 2)} … ${message.slice(-longest / 2)}`
