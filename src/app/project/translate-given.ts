/** Translates files given in memory: any other file does not exist. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Chosen } from '../../domain/compose/choose.ts'
import type { EntryKind, FileContent } from '../../domain/compose/file-content.ts'
import { filesFrom, type HostEntry } from '../../domain/compose/files.ts'
import { readManifest } from '../../domain/manifest/read/manifest.ts'
import { choose, type ProjectOptions, requestOf } from './choose.ts'
import { manifestTrees } from './manifest.ts'
import { readProject } from './model.ts'
import { homeIn, keepMade } from './reading.ts'
import { type Translation, translation, untranslated } from './translation.ts'

/** There are no links, and no commands can be run. */
const entryIn = (given: ReadonlyMap<string, FileContent>, path: string): HostEntry => {
  const content = given.get(path)
  if (content?._tag === 'File') {
    return { _tag: 'File', real: path, isExecutable: false, sizeBytes: content.bytes.length }
  }
  const prefix = path === '.' ? '' : `${path}/`
  const below = [...given.keys()].filter((other) => other.startsWith(prefix))
  if (below.length === 0) return { _tag: 'Missing' }
  const names = below.map((other) => other.slice(prefix.length).split('/')[0] ?? '')
  return { _tag: 'Folder', real: path, names: [...new Set(names)].toSorted() }
}

export const translateGiven = (given: ReadonlyMap<string, FileContent>, wanted: ProjectOptions): Translation => {
  const contents = new Map(given)
  const content = (path: string): FileContent => contents.get(path) ?? { _tag: 'Missing' }
  const known = {
    isFull: false,
    content,
    kind: (path: string): EntryKind => (given.has(path) ? 'File' : 'Missing'),
    host: { look: (path: string) => entryIn(given, path), read: content },
    home: homeIn(wanted.shell),
    trees: new Map(),
  }
  const files = filesFrom(known, '.')
  const translateChosen = (chosen: Chosen): Translation => {
    keepMade(contents, chosen)
    const request = requestOf(wanted, chosen, files)
    const trees = manifestTrees(request, files)
    const opened = trees.length === 0 ? { request } : { request, manifests: { trees, readManifest } }
    return translation(wanted, chosen, readProject(wanted, opened)(files))
  }
  return pipe(choose(wanted, files), E.match(untranslated, translateChosen))
}
