/** The table that bench-sync.ts writes. */
import type { Part } from './bench-sync-world.ts'

export const sizes = [1, 5000, 20_000] as const
export const engines = ['own', 'syncthing', 'okteto'] as const
export type EngineName = (typeof engines)[number]
export const shown = (values: ReadonlyArray<number> | undefined, what: string): string => {
  if (values === undefined) return ''
  const isPlain = /per cent|MB|load/.test(what)
  const one = (value: number): string =>
    isPlain
      ? value.toFixed(/MB/.test(what) ? 0 : 1)
      : value >= 10_000
        ? `${(value / 1000).toFixed(1)} s`
        : value.toFixed(0)
  return values.map(one).join(' / ')
}

export const table = (state: Readonly<Record<string, Part>>): string => {
  const whats = new Set(
    sizes.flatMap((size) => engines.flatMap((engine) => Object.keys(state[`${engine}-${size}`] ?? {}))),
  )
  const lines = [...whats].map((what) => {
    const cells = engines.map((engine) =>
      shown(
        sizes.map((size) => state[`${engine}-${size}`]?.[what]).find((one) => one !== undefined),
        what,
      ),
    )
    return `| ${what} | ${cells.join(' | ')} |`
  })
  return [
    '| ms, unless stated otherwise | devtool | Syncthing 1.30, tuned | with Okteto’s settings |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n')
}
