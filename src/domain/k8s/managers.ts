/** Field managers of devtool. */

/** The manager of everything that `up` writes. */
export const UP_MANAGER = 'devtool-up'
