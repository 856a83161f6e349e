/** A reader of log lines. A slow one takes nothing until the test lets it, and then everything; one that is gone takes nothing ever. */
import type { LogSink } from '../../src/app/logs/batches.ts'

export type MemoryLogSink = LogSink & {
  /** What was taken, and of what pods lines were announced. */
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
