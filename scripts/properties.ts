/**
 * Loaded before the tests: sets how many cases each property tries, and the seed. The seed is fixed, so that the same
 * tree gives the same result; `npm run fuzz` (PROPERTY_SEED=random, PROPERTY_RUNS=…) tries new cases.
 */
import { configureGlobal } from 'fast-check'

const { PROPERTY_RUNS: runs, PROPERTY_SEED: seed } = process.env

configureGlobal({
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
  ...(seed === 'random' ? {} : { seed: Number(seed ?? 20_250_101) }),
})
