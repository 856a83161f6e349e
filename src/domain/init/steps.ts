/** Commands of a language, chosen by the folder's files: a command is suggested only where it works. */
import { parsedJson, textAt } from '../cluster/json.ts'

/** `file`: a file that must exist. `with`: a condition on its text. */
export type Step = {
  readonly run: string
  readonly file: RegExp
  readonly with?: (text: string) => boolean
}

/** Whether a JSON file has a string at this path. */
export const hasText =
  (...path: ReadonlyArray<string>) =>
  (json: string): boolean =>
    textAt(parsedJson(json), ...path) !== undefined

export const says =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text)

/** `names`: the files of the folder; `textOf`: the text of one of them. */
type Folder = { readonly names: ReadonlyArray<string>; readonly textOf: (name: string) => string }

const fits = ({ names, textOf }: Folder, { file, with: isTrue }: Step): boolean =>
  names.some((name) => file.test(name) && (isTrue === undefined || isTrue(textOf(name))))

/** The command of the first step that fits the folder. */
export const commandFor = (folder: Folder, steps: ReadonlyArray<Step>): string | undefined =>
  steps.find((step) => fits(folder, step))?.run
