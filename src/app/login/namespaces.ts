/** The namespaces of a user of a platform, and the choice of one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { WRONG_FORM } from '../../domain/platform/namespace/name.ts'
import { isDnsLabel } from '../../domain/text/dns-name.ts'
import type { PlatformLogin, PlatformSaid } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'

export type OwnNamespace = PlatformSaid<'getNamespace'>

/** All namespaces, page by page, sorted by name. */
export const allNamespaces =
  ({ platforms }: Pick<Ports, 'platforms'>) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, ReadonlyArray<OwnNamespace>> =>
  async () => {
    const found: Array<OwnNamespace> = []
    let next: string | undefined
    do {
      const query = { limit: 500, ...defined({ continue: next }) }
      const page = await platforms.send(login, 'listNamespaces', { query }, signal)()
      if (page._tag === 'Left') return page
      for (const namespace of page.right.namespaces) found.push(namespace)
      next = page.right.next
    } while (next !== undefined)
    return E.right(found)
  }

const CREATE = 'create one'

/** Fails with DT2001 for an invalid name. Which names are reserved is up to the platform. */
export const checkedName = (name: string): E.Either<Diagnostic, string> =>
  isDnsLabel(name)
    ? E.right(name)
    : E.left(error('DT2001', `the name "${name}" ${WRONG_FORM}`, { help: 'choose another name for the namespace' }))

const MOST_ANSWERS = 3

/** Asks again after an invalid name. */
const askName = (
  prompt: Ports['prompt'],
  signal: AbortSignal,
  { problem = '', round = 1 } = {},
): TE.TaskEither<Diagnostic, string> =>
  pipe(
    prompt.ask({ text: `${problem}name of the new namespace`, flag: '`devtool namespace create NAME`', signal }),
    TE.flatMap((name) =>
      pipe(
        TE.fromEither(checkedName(name)),
        TE.orElse((failure) =>
          round === MOST_ANSWERS
            ? TE.left(failure)
            : askName(prompt, signal, { problem: `${failure.message}: `, round: round + 1 }),
        ),
      ),
    ),
  )

/** Chooses an existing namespace or a new one. `current` comes first. Fails with DT2101 without a terminal. */
export const askNamespace =
  (ports: Pick<Ports, 'platforms' | 'prompt'>) =>
  (
    login: PlatformLogin,
    namespaces: ReadonlyArray<OwnNamespace>,
    current: string | undefined,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, string> => {
    const { platforms, prompt } = ports
    const names = namespaces.flatMap(({ name, status }) => (status === 'Active' ? [name] : []))
    const sorted = [...names.filter((name) => name === current), ...names.filter((name) => name !== current)]
    const choices = sorted.map((name) => ({ value: name, text: name === current ? `${name} *` : name }))
    const created = pipe(
      askName(prompt, signal),
      TE.flatMap((name) => platforms.send(login, 'createNamespace', { body: { name } }, signal)),
      TE.map(({ name }) => name),
    )
    const question = { text: 'which namespace?', flag: '`devtool namespace use NAME`', signal }
    return pipe(
      // No namespace has a space in its name.
      prompt.choose(question, [...choices, { value: CREATE, text: CREATE }]),
      TE.flatMap((chosen) => (chosen === CREATE ? created : TE.of(chosen))),
    )
  }
