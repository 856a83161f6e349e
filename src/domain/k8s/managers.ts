/** Field managers of devtool. */

/** Of everything that `up` writes. */
export const UP_MANAGER = 'devtool-up'
