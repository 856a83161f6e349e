/** `command`, `entrypoint` and hooks: words for the container, never run by a shell. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { readWords } from '../../text/shell-words.ts'
import type { service } from '../fields/service.ts'
import type { Hooks, Written } from '../model.ts'

type Words = Located<ReadonlyArray<Located<string>>>
type RawService = ValueOf<typeof service>['value']

/** A string is split into words like in a shell (Compose does not run one); a list is taken as it is. */
const readCommand = (written: Words): Checked<Written<ReadonlyArray<string>>> => {
  const [first] = written.value
  if (written.at._tag === 'Sequence' || first === undefined)
    return C.ok(
      as(
        written.value.map((w) => w.value),
        written,
      ),
    )
  return C.andThen(
    (split: Located<{ readonly words: ReadonlyArray<string>; readonly operators: ReadonlyArray<string> }>) =>
      C.note(
        as(split.value.words, written),
        split.value.operators.length === 0
          ? []
          : [
              warning(
                'DT1108',
                `${split.value.operators.map((o) => `"${o}"`).join(' and ')} ${split.value.operators.length === 1 ? 'is an ordinary character' : 'are ordinary characters'} here`,
                {
                  at: written.at,
                  path: written.path,
                  help: 'a command runs without a shell; write ["sh", "-c", "…"] to run one',
                },
              ),
            ],
      ),
  )(parse('DT1029', readWords, 'close the quote, or write the command as a list')(first))
}

type Commands = {
  readonly entrypoint?: Written<ReadonlyArray<string>>
  readonly command?: Written<ReadonlyArray<string>>
}

/** `[""]` is no empty command, but Docker takes it for an empty entrypoint. */
const clearsEntrypoint = ({ value }: Written<ReadonlyArray<string>>): boolean => value.every((word) => word === '')

const clears = ({ at, path }: Written<unknown>, what: string) =>
  warning('DT1109', `an empty list cannot clear ${what} of the image on Kubernetes`, { at, path })

/**
 * An empty list or string clears ENTRYPOINT or CMD of the image. On Kubernetes a `command` replaces both, so a command
 * with an empty entrypoint becomes `command`. Clearing both is not possible.
 */
const withoutEmpty = ({ entrypoint, command }: Commands): Checked<Commands> => {
  const given = command?.value.length === 0 ? undefined : command
  if (entrypoint !== undefined && !clearsEntrypoint(entrypoint)) {
    return C.ok(
      given === undefined && command !== undefined
        ? { entrypoint: { ...entrypoint, also: [command.at] } }
        : { entrypoint, ...defined({ command }) },
    )
  }
  if (entrypoint !== undefined && given !== undefined) return C.ok({ entrypoint: { ...given, also: [entrypoint.at] } })
  return C.note(defined({ command: given }), [
    ...(entrypoint === undefined ? [] : [clears(entrypoint, 'ENTRYPOINT')]),
    ...(command === undefined || given !== undefined ? [] : [clears(command, 'CMD')]),
  ])
}

export const readCommands = (raw: RawService): Checked<Commands> =>
  C.andThen(withoutEmpty)(
    C.struct({ entrypoint: optional(raw.entrypoint, readCommand), command: optional(raw.command, readCommand) }),
  )

type RawHooks = NonNullable<RawService['post_start']>

const hookCommands = (hooks: RawHooks | undefined): Checked<ReadonlyArray<Written<ReadonlyArray<string>>>> =>
  C.each((hook: RawHooks['value'][number]) =>
    C.andThen((words: Written<ReadonlyArray<string>> | undefined) =>
      words === undefined || words.value.length === 0
        ? C.fail(error('DT1018', 'a hook needs a command', { at: hook.at, path: hook.path }))
        : C.ok(words),
    )(optional(hook.value.command, readCommand)),
  )(hooks?.value ?? [])

const quoted = (words: ReadonlyArray<string>): string => words.map((w) => `'${w.replaceAll("'", `'\\''`)}'`).join(' ')

/** Kubernetes runs one command for each lifecycle hook, so several become one shell command. */
const single = (hooks: ReadonlyArray<Written<ReadonlyArray<string>>>): Written<ReadonlyArray<string>> | undefined => {
  const [first, ...more] = hooks
  if (first === undefined || more.length === 0) return first
  return {
    ...first,
    also: more.map(({ at }) => at),
    value: ['sh', '-c', hooks.map((hook) => quoted(hook.value)).join(' && ')],
  }
}

export const readHooks = (raw: RawService): Checked<Hooks> =>
  C.map(
    ({
      preStart,
      postStart,
      preStop,
    }: {
      readonly preStart?: Hooks['preStart']
      readonly postStart?: Hooks['preStart']
      readonly preStop?: Hooks['preStart']
    }): Hooks => {
      const [after, before] = [single(postStart ?? []), single(preStop ?? [])]
      return {
        preStart: preStart ?? [],
        ...defined({ postStart: after, preStop: before }),
      }
    },
  )(
    C.struct({
      preStart: hookCommands(raw.pre_start),
      postStart: hookCommands(raw.post_start),
      preStop: hookCommands(raw.pre_stop),
    }),
  )
