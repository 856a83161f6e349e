import type { Mutant } from './mutant.ts'

export const pressure: ReadonlyArray<Mutant> = []
