/** Which files the test runner takes. The structure check holds the tree to it, so that no test is left out in silence. */

/** Matched against the path below the folder that is run. */
export const testPattern = /\.test\.ts$/

/** Below test/; needs a cluster, so it is left out of the ordinary run. */
export const e2eFolder = 'e2e'
