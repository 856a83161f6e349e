/** The moment that counts in place of the present one: SOURCE_DATE_EPOCH, which builds of many kinds honour. */
import type { BuildFacts } from './args.ts'

export const EPOCH = 'SOURCE_DATE_EPOCH'

/** The first of January 1980: archives of some kinds know no earlier one. */
const earliest = '315619200'

/** Seconds since 1970. `undefined`: the present counts. */
export const epochOf = ({ flags, variables }: Pick<BuildFacts, 'flags' | 'variables'>): string | undefined =>
  variables(EPOCH) || (flags.isReproducible === true ? earliest : undefined)
