/** Whether an address is on this machine. Names below `localhost` may be anywhere. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
