/** The rooms of the source as layers and tables, derived from the imports, for docs/architecture.md. */
import { basename, dirname } from 'node:path/posix'
import { arrowsOf, listFiles, parse } from './imports.ts'
import { rooms as names } from './room-names.ts'
import { layersOf, nearest, OWN_FILES, type Rooms, roomsOf } from './rooms.ts'

const begin = (folder: string): string => `<!-- rooms of ${folder}: made by \`npm run docs\` -->`
const END = '<!-- end of rooms -->'

const tableOf = (rows: ReadonlyArray<readonly [string, string, string]>): string =>
  [['room', 'holds', 'imports'] as const, ['---', '---', '---'] as const, ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** A single file directly in a folder is shown by its name. */
const nameIn = (folder: string, files: ReadonlyArray<string>, room: string): string => {
  if (room !== OWN_FILES) return room
  const own = files.filter((file) => dirname(file) === folder)
  return own.length === 1 ? basename(own[0] ?? '') : OWN_FILES
}

const pictureOf = (folder: string, files: ReadonlyArray<string>, rooms: Rooms): string => {
  const known = names[folder] ?? {}
  const show = (room: string): string => (room === OWN_FILES ? 'own files' : room)
  const named = new Map([...rooms.keys()].map((room) => [room, nameIn(folder, files, room)]))
  const nameOf = (room: string): string => named.get(room) ?? room
  const layers = layersOf(rooms).toReversed()
  const unknown = [...named.values()].filter((name) => known[name] === undefined)
  const gone = Object.keys(known).filter((name) => ![...named.values()].includes(name))
  for (const wrong of [...unknown.map((name) => `says nothing of ${name}`), ...gone.map((name) => `${name} is gone`)]) {
    process.stdout.write(`scripts/room-names.ts: ${folder}: ${wrong}\n`)
    process.exitCode = 1
  }
  const drawing = layers.map((layer) => `  ${layer.map((room) => show(nameOf(room))).join(' · ')}`)
  const rows = layers.flat().map((room): readonly [string, string, string] => [
    `\`${show(nameOf(room))}\``,
    known[nameOf(room)] ?? '',
    nearest(rooms, room)
      .map((other) => show(nameOf(other)))
      .join(', '),
  ])
  return ['```text', ...drawing, '```', '', tableOf(rows)].join('\n')
}

/** The page with its current pictures. */
export const withPictures = (page: string): string => {
  const files = listFiles('src').filter((file) => file.endsWith('.ts'))
  const arrows = files.map(parse).flatMap(arrowsOf)
  return Object.keys(names).reduce((text, folder) => {
    const [from, to] = [text.indexOf(begin(folder)), text.indexOf(END, text.indexOf(begin(folder)))]
    if (from < 0 || to < 0) throw new Error(`docs/architecture.md has no place for the rooms of ${folder}`)
    const picture = pictureOf(folder, files, roomsOf(folder, files, arrows))
    return `${text.slice(0, from)}${begin(folder)}\n\n${picture}\n\n${text.slice(to)}`
  }, page)
}
