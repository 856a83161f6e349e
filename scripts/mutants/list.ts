/** All changes that `npm run mutants` makes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../command.ts'
import type { Mutant } from './mutant.ts'
import { platform } from './platform.ts'
import { pressure } from './pressure.ts'
import { safety } from './safety.ts'
import { security } from './security.ts'
import { sync } from './sync.ts'
import { syncDisk } from './sync-disk.ts'
import { syncEnds } from './sync-ends.ts'
import { time } from './time.ts'

export const mutants: ReadonlyArray<Mutant> = [
  ...time,
  ...safety,
  ...security,
  ...pressure,
  ...sync,
  ...syncDisk,
  ...syncEnds,
  ...platform,
]

/** Why an entry is outdated; `undefined` when its line occurs exactly once. */
export const mistakeIn = ({ file, old, new: replacement }: Mutant): string | undefined => {
  const times = readFileSync(join(root, file), 'utf8').split(old).length - 1
  if (old === replacement) return `${file}: ${old}\n  changes nothing`
  return times === 1 ? undefined : `${file}: ${old}\n  occurs ${times} times`
}
