/** Options of Node's sockets for hosts with addresses of both families. */

/**
 * Node drops an attempt to connect after 250 ms and tries the next address; what is slow is then reported as
 * unreachable. This is enough for any link that can be worked on, and still leaves time for the other addresses.
 */
export const eitherFamily = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2500 }

/** On one machine an address answers or refuses at once: only a busy process needs longer. */
export const ownFamily = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 30_000 }
