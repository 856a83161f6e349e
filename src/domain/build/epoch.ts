/** SOURCE_DATE_EPOCH: the time that a reproducible build uses instead of the current one (reproducible-builds.org). */
import type { BuildFacts } from './args.ts'

export const EPOCH = 'SOURCE_DATE_EPOCH'

/** 1 January 1980, the earliest time that zip archives can hold. */
const earliest = '315619200'

/** Seconds since 1970. `undefined`: the build uses the current time. */
export const epochOf = ({ flags, variables }: Pick<BuildFacts, 'flags' | 'variables'>): string | undefined =>
  variables(EPOCH) || (flags.isReproducible === true ? earliest : undefined)
