/** Loads a project from the disk and translates it. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Ports } from '../../ports/ports.ts'
import { linesOf, type Outcome } from '../output/outcome.ts'
import { emptyStore } from './asking.ts'
import { load } from './load.ts'
import { type Translation, translating, type Wanted } from './translation.ts'

export type Translated = Translation & Required<Pick<Outcome, 'line' | 'said'>>

const saidOf = ({ chosen }: Translation): ReadonlyArray<string> =>
  chosen === undefined || chosen.isGiven ? [] : [`using ${chosen.made?.what ?? chosen.files.join(', ')}`]

/** `said` tells which files were taken when nobody named them. */
export const translateFiles =
  (ports: Pick<Ports, 'files'>) =>
  async (wanted: Wanted): Promise<Translated> => {
    const store = emptyStore()
    const translation = await pipe(translating(wanted, store), (computation) =>
      load(ports, wanted.isConfined)(computation, store),
    )
    return { ...translation, said: saidOf(translation), line: linesOf(store) }
  }
