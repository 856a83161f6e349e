/** Which environment a command that reads no project is about: the one that `deploy` would make here. */
import type { Ports } from '../../ports/ports.ts'
import { linesOf, type Outcome } from '../output/outcome.ts'
import { emptyStore } from './asking.ts'
import { load } from './load.ts'
import { type Named, naming } from './naming.ts'
import type { Wanted } from './translation.ts'

export type EnvironmentName = Named & Required<Pick<Outcome, 'line'>>

/** Without a name there is an error in `findings`, and with one only warnings. Finds DT2001, DT1031 and what is wrong with files. */
export const environmentOf =
  (ports: Pick<Ports, 'files'>) =>
  async (wanted: Wanted): Promise<EnvironmentName> => {
    const store = emptyStore()
    const named = await load(ports, wanted.isConfined)(naming(wanted, store), store)
    return { ...named, line: linesOf(store) }
  }
