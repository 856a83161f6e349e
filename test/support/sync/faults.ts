/** Faults that a program of the stress test causes in itself: it dies at a change of its folder, and misses events. */
import fs from 'node:fs'
import { createInterface } from 'node:readline'
import type { OpenTree, TreeEvent } from '../../../src/ports/tree.ts'

const changes = [
  'renameSync',
  'linkSync',
  'symlinkSync',
  'mkdirSync',
  'rmdirSync',
  'rmSync',
  'chmodSync',
  'closeSync',
  'writeFileSync',
] as const

/** SIGKILL right before or after the change with that number, counted from now. */
export const dieAt = (change: number): void => {
  let left = change
  for (const name of changes) {
    const real: unknown = Reflect.get(fs, name)
    const dying = (...values: ReadonlyArray<unknown>): unknown => {
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
      const result: unknown = typeof real === 'function' ? Reflect.apply(real, fs, values) : undefined
      if (left === 1) process.kill(process.pid, 'SIGKILL')
      return result
    }
    Object.assign(fs, { [name]: dying })
  }
}

/** `overflow`: reports too many changes to list. */
export type LossyTree = OpenTree & { readonly overflow: () => void }

export const losing = (tree: OpenTree, share: number): LossyTree => {
  const tellers = new Set<(event: TreeEvent) => void>()
  return {
    ...tree,
    watch: (onEvent) => {
      tellers.add(onEvent)
      const stop = tree.watch((event) => {
        if (event._tag !== 'Looked' || Math.random() >= share) onEvent(event)
      })
      return () => {
        tellers.delete(onEvent)
        stop()
      }
    },
    overflow: () => {
      for (const tell of tellers) tell({ _tag: 'Overflow' })
    },
  }
}

export const onLine = (take: (words: ReadonlyArray<string>) => void): void => {
  createInterface({ input: process.stdin }).on('line', (line) => take(line.split(' ')))
}

export const isIgnored = (path: string): boolean => path.split('/').includes('ignored')
