/**
 * The rooms of a folder: its folders, and the files directly in it, which count as one room. Rooms must not import each
 * other in a cycle: two rooms that do cannot be understood, tested or moved separately.
 */
import { dirname } from 'node:path/posix'
import type { Arrow } from './imports.ts'

/** Stands for the files that lie directly in a folder. */
export const OWN_FILES = '.'

/** Room → the rooms it imports, each with one of the imports as an example. */
export type Rooms = ReadonlyMap<string, ReadonlyMap<string, Arrow>>

const roomIn = (folder: string, file: string): string | undefined => {
  if (!file.startsWith(`${folder}/`)) return undefined
  const [first = '', ...rest] = file.slice(folder.length + 1).split('/')
  return rest.length === 0 ? OWN_FILES : first
}

export const roomsOf = (folder: string, files: ReadonlyArray<string>, arrows: ReadonlyArray<Arrow>): Rooms => {
  const rooms = new Map<string, Map<string, Arrow>>()
  for (const file of files) {
    const room = roomIn(folder, file)
    if (room !== undefined && !rooms.has(room)) rooms.set(room, new Map())
  }
  for (const arrow of arrows) {
    const [from, to] = [roomIn(folder, arrow.from), roomIn(folder, arrow.to)]
    const known = from === undefined ? undefined : rooms.get(from)
    if (to !== undefined && to !== from && known?.has(to) === false) known.set(to, arrow)
  }
  return rooms
}

/** The shortest path from one room to another, without its start. */
const wayTo = (rooms: Rooms, from: string, to: string): ReadonlyArray<string> | undefined => {
  const before = new Map<string, string>()
  const next = [from]
  for (let room = next.shift(); room !== undefined; room = next.shift()) {
    for (const other of rooms.get(room)?.keys() ?? []) {
      if (before.has(other)) continue
      before.set(other, room)
      if (other !== to) {
        next.push(other)
        continue
      }
      const way = [to]
      for (let step = room; step !== from; step = before.get(step) ?? from) way.unshift(step)
      return way
    }
  }
  return undefined
}

export const foldersOf = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folders = new Set<string>()
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  return [...folders].toSorted()
}

export type Circle = { readonly arrow: Arrow; readonly message: string }

/** All imports between rooms that are part of a cycle. */
export const circlesIn = (folder: string, rooms: Rooms): ReadonlyArray<Circle> => {
  const show = (room: string): string => (room === OWN_FILES ? `the files of ${folder}` : `${folder}/${room}`)
  return [...rooms].flatMap(([room, others]) =>
    [...others].flatMap(([other, arrow]) => {
      const back = wayTo(rooms, other, room)
      if (back === undefined) return []
      return [{ arrow, message: `folders import each other: ${[room, other, ...back].map(show).join(' → ')}` }]
    }),
  )
}

/** The rooms in layers: each imports only rooms of earlier layers. There must be no cycle. */
export const layersOf = (rooms: Rooms): ReadonlyArray<ReadonlyArray<string>> => {
  const heights = new Map<string, number>()
  const heightOf = (room: string): number => {
    const known = heights.get(room)
    if (known !== undefined) return known
    const height = Math.max(-1, ...[...(rooms.get(room)?.keys() ?? [])].map(heightOf)) + 1
    heights.set(room, height)
    return height
  }
  const layers: Array<Array<string>> = []
  for (const room of [...rooms.keys()].toSorted()) {
    const height = heightOf(room)
    while (layers.length <= height) layers.push([])
    layers[height]?.push(room)
  }
  return layers
}

/** The direct imports of a room, without those it also has through another one. */
export const nearest = (rooms: Rooms, room: string): ReadonlyArray<string> => {
  const others = [...(rooms.get(room)?.keys() ?? [])]
  return others
    .filter((other) => !others.some((between) => between !== other && wayTo(rooms, between, other) !== undefined))
    .toSorted()
}
