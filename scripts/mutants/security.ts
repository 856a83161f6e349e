import type { Mutant } from './mutant.ts'

export const security: ReadonlyArray<Mutant> = []
