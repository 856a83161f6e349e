/**
 * A consumer of log lines. A slow one takes nothing until the test allows it, and then everything; a closed one never
 * takes anything.
 */
import type { LogSink } from '../../src/app/logs/batches.ts'

export type MemoryLogSink = LogSink & {
  /** The lines that were taken, and the pods that were announced. */
  readonly texts: () => ReadonlyArray<string>
  readonly announced: () => ReadonlyArray<string>
  readonly release: () => void
}

export const memoryLogSink = (reader: 'Quick' | 'Slow' | 'Gone' = 'Quick'): MemoryLogSink => {
  const [texts, announced]: [Array<string>, Array<string>] = [[], []]
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    sources: (known) => announced.push(...known.map(({ pod }) => pod)),
    lines: async (lines) => {
      if (reader === 'Slow') await released
      if (reader === 'Gone') return false
      texts.push(...lines.map(({ line }) => line.text))
      return true
    },
    texts: () => [...texts],
    announced: () => [...announced],
    release: () => release(),
  }
}
