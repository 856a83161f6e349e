/** Field managers of devtool. */

/** The manager of everything that `up` writes. */
export const UP_MANAGER = 'devtool-up'

/** Of what is changed while a namespace sleeps. */
export const SLEEP_MANAGER = 'devtool-sleep'

/** Those that change fields for a time, and put them back. */
export const isTemporary = (manager: string): boolean => manager === UP_MANAGER || manager === SLEEP_MANAGER
