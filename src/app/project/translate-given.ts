/** Translates files that are all at hand: what is not among them does not exist. */
import * as E from 'fp-ts/lib/Either.js'
import { type FileContent, filesFrom } from '../../domain/compose/files.ts'
import { readManifest } from '../../domain/manifest/read/manifest.ts'
import { choose, requestOf, type Wanted } from './choose.ts'
import { manifestTrees } from './manifest.ts'
import { readProject } from './model.ts'
import { keepMade } from './reading.ts'
import { type Translation, translation, untranslated } from './translation.ts'

export const translateGiven = (given: ReadonlyMap<string, FileContent>, wanted: Wanted): Translation => {
  const contents = new Map(given)
  const files = filesFrom({
    content: (path) => contents.get(path) ?? { _tag: 'Missing' },
    kind: (path) => (given.has(path) ? 'File' : 'Missing'),
    trees: new Map(),
  })
  const chosen = choose(wanted, files)
  if (E.isLeft(chosen)) return untranslated(chosen.left)
  keepMade(contents, chosen.right)
  const request = requestOf(wanted, chosen.right, files)
  const trees = manifestTrees(request, files)
  const opened = trees.length === 0 ? { request } : { request, manifests: { trees, readManifest } }
  return translation(wanted, chosen.right, readProject(wanted, opened)(files))
}
