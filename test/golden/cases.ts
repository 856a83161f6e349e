/** The folders of `cases`, each translated once. */
import type { Translation } from '../../src/app/project/translation.ts'
import type { Files } from '../support/compose/project.ts'
import { type Args, argsIn, foldersIn, goldenFolder, inputsIn, translationOf } from './golden.ts'

type Case = {
  readonly name: string
  readonly folder: string
  readonly files: Files
  readonly args: Args
  readonly translation: Translation
}

/** `folder` has the goldens, `inputs` the files. */
export const caseOf = (name: string, folder: string, inputs = folder): Case => {
  const [files, args] = [inputsIn(inputs), argsIn(folder)]
  return { name, folder, files, args, translation: translationOf(files, args) }
}

export const cases = foldersIn(`${goldenFolder}/cases`).map((name) => caseOf(name, `${goldenFolder}/cases/${name}`))
