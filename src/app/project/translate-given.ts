/** Translates files given in memory: any other file does not exist. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Chosen } from '../../domain/compose/choose.ts'
import { type FileContent, filesFrom } from '../../domain/compose/files.ts'
import { readManifest } from '../../domain/manifest/read/manifest.ts'
import { choose, type ProjectOptions, requestOf } from './choose.ts'
import { manifestTrees } from './manifest.ts'
import { readProject } from './model.ts'
import { keepMade } from './reading.ts'
import { type Translation, translation, untranslated } from './translation.ts'

export const translateGiven = (given: ReadonlyMap<string, FileContent>, wanted: ProjectOptions): Translation => {
  const contents = new Map(given)
  const files = filesFrom({
    content: (path) => contents.get(path) ?? { _tag: 'Missing' },
    kind: (path) => (given.has(path) ? 'File' : 'Missing'),
    trees: new Map(),
  })
  const translateChosen = (chosen: Chosen): Translation => {
    keepMade(contents, chosen)
    const request = requestOf(wanted, chosen, files)
    const trees = manifestTrees(request, files)
    const opened = trees.length === 0 ? { request } : { request, manifests: { trees, readManifest } }
    return translation(wanted, chosen, readProject(wanted, opened)(files))
  }
  return pipe(choose(wanted, files), E.match(untranslated, translateChosen))
}
