export const greeting = (host) => `Hello from ${host}\n`
