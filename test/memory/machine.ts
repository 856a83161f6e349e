/** The port `Machine`, where no other process is known to have ended. */
import type { Machine } from '../../src/ports/machine.ts'
import { memoryCodecs } from './codecs.ts'

export const memoryMachine = (who: string, holder = who, more: Partial<Machine> = {}): Machine => ({
  who,
  holder,
  host: 'desk',
  mark: '',
  hasEnded: () => false,
  runs: () => false,
  addresses: () => '192.0.2.1',
  codecs: memoryCodecs,
  ...more,
})
