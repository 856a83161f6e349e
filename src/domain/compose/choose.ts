/**
 * Which files are read when none is named, and the folder their paths are relative to. Pure: the caller looks for the
 * files.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { baseName, folderOf, resolvePath } from '../text/path.ts'
import { chartFolders, composeNames, kustomizations, manifestFolders } from './known-files.ts'

/**
 * `folder`: the project folder. `isGiven`: named by the user, so the choice need not be reported. `made`: text to use
 * instead of reading the file, for a chart or manifests, and what those are called.
 */
export type Chosen = {
  readonly made?: { readonly text: string; readonly what: string }
  readonly files: ReadonlyArray<string>
  readonly folder: string
  readonly isGiven: boolean
}

export const noFiles: Chosen = { files: [], folder: '.', isGiven: false }

/** Which files were chosen, when the user named none. */
export const filesTaken = (chosen: Chosen | undefined): ReadonlyArray<string> =>
  chosen === undefined || chosen.isGiven ? [] : [`using ${chosen.made?.what ?? chosen.files.join(', ')}`]

/** What the choice depends on. `listed` and `separator`: COMPOSE_FILE and the separator between its paths. */
export type Choices = {
  readonly given: ReadonlyArray<string>
  readonly listed?: string | undefined
  readonly separator: string
  readonly isFile: (path: string) => boolean
  readonly isFolder: (path: string) => boolean
}

export const manifestNames = ['devtool.yml', 'devtool.yaml', '.devtool/devtool.yml', '.devtool/devtool.yaml']
const composeFiles = [...composeNames, ...composeNames.map((name) => `.devtool/${name}`)]
const charts = chartFolders.map((folder) => `${folder}/Chart.yaml`)
const inside = (folder: string): ReadonlyArray<string> => kustomizations.map((name) => `${folder}/${name}`)

const overridesOf = (file: string): ReadonlyArray<string> => {
  const stem = file.replace(/\.ya?ml$/, '')
  return [`${stem}.override.yml`, `${stem}.override.yaml`]
}

/** Every path that {@link chooseFiles} may ask about. */
export const candidates: ReadonlyArray<string> = [
  ...manifestNames,
  ...composeFiles.flatMap((file) => [file, ...overridesOf(file)]),
  ...charts,
  ...manifestFolders,
  ...manifestFolders.flatMap(inside),
]

/** The base of relative paths: the file's folder, or its parent when the folder is `.devtool`. */
export const projectFolder = (file: string): string => {
  const folder = folderOf(file)
  return baseName(folder) === '.devtool' ? folderOf(folder) : folder
}

const chosen = (files: ReadonlyArray<string>, isGiven: boolean): Chosen => ({
  files,
  folder: projectFolder(files[0] ?? '.'),
  isGiven,
})

/** A manifest with a single command that deploys what was found. `name` labels the command's output. */
const made = (file: string, what: string, name: string, command: string): Chosen => ({
  files: [file],
  folder: '.',
  isGiven: false,
  made: { what, text: `deploy:\n  - name: ${name}\n    command: ${command}\n` },
})

/** Something that Helm or kubectl can deploy: a chart, otherwise a kustomization or plain manifests. */
const foundOtherwise = ({ isFile, isFolder }: Choices): Chosen | undefined => {
  const chart = charts.find(isFile)
  if (chart !== undefined) {
    const folder = folderOf(chart)
    return made(chart, `the Helm chart ${folder}`, 'helm', `helm upgrade --install "$DEVTOOL_NAME" ${folder}`)
  }
  const folder = manifestFolders.find((name) => isFolder(name) || inside(name).some(isFile))
  if (folder === undefined) return undefined
  const kustomization = inside(folder).find(isFile)
  if (kustomization !== undefined)
    return made(kustomization, `the kustomization ${folder}`, 'kubectl', `kubectl apply -k ${folder}`)
  return made(folder, `the manifests in ${folder}`, 'kubectl', `kubectl apply -f ${folder}`)
}

const plainPath = (path: string): string => resolvePath('.', path)

/** Fails with DT1042 (nothing found). */
export const chooseFiles = (choices: Choices): E.Either<Diagnostic, Chosen> => {
  const { given, listed, separator, isFile } = choices
  if (given.length > 0) return E.right(chosen(given.map(plainPath), true))
  const manifest = manifestNames.find(isFile)
  if (manifest !== undefined) return E.right(chosen([manifest], false))
  const paths = listed?.split(separator).filter((path) => path !== '') ?? []
  if (paths.length > 0) return E.right(chosen(paths.map(plainPath), false))
  const compose = composeFiles.find(isFile)
  if (compose !== undefined) {
    const override = overridesOf(compose).find(isFile)
    return E.right(chosen(override === undefined ? [compose] : [compose, override], false))
  }
  const other = foundOtherwise(choices)
  if (other !== undefined) return E.right(other)
  return E.left(
    error('DT1042', 'no manifest, Compose file, Helm chart or Kubernetes manifests found in this folder', {
      help: `name one with --file; looked for ${[...manifestNames, ...composeNames].join(', ')}, also in .devtool`,
    }),
  )
}
