/** Which development containers a command is about. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { suggestion } from '../text/suggest.ts'

const unknownName = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  error('DT5051', `there is no development container "${name}"`, { help: suggestion(name, known, 'there are none') })

const nothing = error('DT5052', 'the project has nothing to develop', {
  help: 'write a section `dev` into devtool.yml, or services into a Compose file',
})

/** None was named, and there are several. */
export const ambiguous = (known: ReadonlyArray<string>): Diagnostic =>
  error('DT5050', 'there are several development containers', { help: `name one: ${known.join(', ')}` })

/** The chosen ones in the order of `known`; `undefined` when the user has to be asked. Finds DT5051 and DT5052. */
export const chooseNames = (
  known: ReadonlyArray<string>,
  wanted: ReadonlyArray<string>,
): E.Either<Diagnostic, ReadonlyArray<string> | undefined> => {
  if (known.length === 0) return E.left(nothing)
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) return E.left(unknownName(unknown, known))
  if (wanted.length > 0) return E.right(known.filter((name) => wanted.includes(name)))
  return E.right(known.length === 1 ? known : undefined)
}
