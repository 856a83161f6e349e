/** The port `Machine`, where no other process is known to have ended. */
import { sha256 } from '../../src/domain/text/sha256.ts'
import type { Machine } from '../../src/ports/machine.ts'

export const memoryMachine = (who: string, holder = who, more: Partial<Machine> = {}): Machine => ({
  who,
  holder,
  host: 'desk',
  mark: '',
  hasEnded: () => false,
  runs: () => false,
  addresses: () => '192.0.2.1',
  sha256: () => Promise.resolve(sha256),
  ...more,
})
