/** Folders of manifests, one file for each object: written, or compared with what would be written today. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FolderEntry } from '../../domain/plan/file-changes.ts'
import { isSecretFile, type ManifestFile, manifestFiles } from '../../domain/plan/manifest-files.ts'
import { unifiedDiff } from '../../domain/print/diff.ts'
import { printYamlLines } from '../../domain/print/yaml.ts'
import { answer, answerAll, type Result } from '../result.ts'
import { differs, type GoldenState, harmless, type ManifestFolders, originsOf, unixLines } from './golden.ts'
import { fileManifests, lookInto } from './write-files.ts'

/** The difference between a file of a folder and the file that would be written now, if there is one. */
const fileDiff = (file: string, found: FolderEntry | undefined, now: ManifestFile | undefined): string => {
  const before = found?._tag === 'File' ? unixLines(found.text) : ''
  const after = now?.text ?? ''
  if (before === after) return ''
  const notes = now?.apply === undefined ? [] : originsOf(now.apply, printYamlLines(now.apply.object))
  return unifiedDiff(
    { from: file, to: now === undefined ? 'removed now' : 'now' },
    before,
    after,
    (line) => notes[line - 1],
  )
}

const compare: ManifestFolders['compare'] = (ports, folder, plan) => {
  const files = manifestFiles(plan, false)
  const now = new Map(files.map((file) => [file.name, file]))
  return answer(
    pipe(
      lookInto(ports)(folder, [...now.keys()]),
      TE.map(({ found }): Result<GoldenState> => {
        const names = [...new Set([...now.keys(), ...found.keys()])].filter((name) => !isSecretFile(name))
        const diff = names.map((name) => fileDiff(`${folder}/${name}`, found.get(name), now.get(name))).join('')
        if (diff === '') return { findings: [], value: { _tag: 'Same', file: folder } }
        return { findings: [differs(folder)], value: { _tag: 'Different', diff: harmless(diff) } }
      }),
    ),
  )
}

const update: ManifestFolders['update'] = (ports, folder, plan) =>
  answerAll(
    pipe(
      fileManifests(ports)(folder, plan, false),
      TE.map((): Result<GoldenState> => ({ findings: [], value: { _tag: 'Written', file: folder } })),
    ),
  )

export const manifestFolders: ManifestFolders = {
  compare,
  update,
  write: (ports, folder, plan, showSecrets) => fileManifests(ports)(folder, plan, showSecrets),
}
