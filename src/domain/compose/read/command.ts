/** `command`, `entrypoint` and hooks: words for the container, never run by a shell. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { readWords } from '../../text/shell-words.ts'
import type { Span } from '../../text/source.ts'
import type { service } from '../fields/service.ts'
import type { Hooks, Written } from '../model.ts'

type Words = Located<ReadonlyArray<Located<string>>>
type RawService = ValueOf<typeof service>['value']

/** A string is split into words like in a shell (Compose does not run one); a list is taken as it is. */
export const readCommand = (written: Words): Checked<Written<ReadonlyArray<string>>> => {
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
                  help: 'a command runs without a shell; write ["sh", "-c", "..."] to run one',
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

const clears = (written: Written<unknown>, what: string) => {
  const form = 'items' in written.at ? 'list' : 'string'
  return warning('DT1109', `an empty ${form} cannot clear ${what} of the image on Kubernetes`, written)
}

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

type LifecycleHook = NonNullable<RawService['post_start']>['value'][number]

const readHook = (hook: LifecycleHook): Checked<Written<ReadonlyArray<string>>> =>
  C.andThen((words: Written<ReadonlyArray<string>> | undefined) =>
    words === undefined || words.value.length === 0
      ? C.fail(error('DT1018', 'a hook needs a command', { at: hook.at, path: hook.path }))
      : C.ok(words),
  )(optional(hook.value.command, readCommand))

const ranBy = (hooks: RawService['post_start']): Checked<ReadonlyArray<HookCommand>> =>
  C.each((hook: LifecycleHook) =>
    C.map((words: HookCommand['words']): HookCommand => ({ hook, words }))(readHook(hook)),
  )(hooks?.value ?? [])

const quoted = (words: ReadonlyArray<string>): string => words.map((w) => `'${w.replaceAll("'", `'\\''`)}'`).join(' ')

type HookCommand = { readonly hook: LifecycleHook; readonly words: Written<ReadonlyArray<string>> }

/** `cd` and `env` do what Kubernetes has no field for. A bare name has its value in the container already. */
const inShell = ({ hook, words }: HookCommand): string => {
  const { environment, working_dir: folder } = hook.value
  const given = (environment?.value ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  const run = quoted(given.length === 0 ? words.value : ['env', ...given, ...words.value])
  return folder === undefined ? run : `(cd ${quoted([folder.value])} && ${run})`
}

const placesOf = ({ hook, words }: HookCommand): ReadonlyArray<Span> => {
  const { environment, working_dir: folder } = hook.value
  return [words, folder, ...(environment?.value ?? [])].flatMap((one) => (one === undefined ? [] : [one.at]))
}

/**
 * Kubernetes runs one command for each lifecycle hook, so several become one shell command, as do those with settings.
 */
const single = (hooks: ReadonlyArray<HookCommand>): Written<ReadonlyArray<string>> | undefined => {
  const [first, ...more] = hooks
  if (first === undefined) return undefined
  const { environment, working_dir: folder } = first.hook.value
  if (more.length === 0 && environment === undefined && folder === undefined) return first.words
  const also = hooks.flatMap(placesOf)
  return { ...first.words, also, value: ['sh', '-c', hooks.map(inShell).join(' && ')] }
}

export const readHooks = (raw: RawService): Checked<Hooks> => {
  const parts = C.struct({ postStart: ranBy(raw.post_start), preStop: ranBy(raw.pre_stop) })
  return C.map(
    ({ postStart = [], preStop = [] }: C.ValueIn<typeof parts>): Hooks =>
      defined({ postStart: single(postStart), preStop: single(preStop) }),
  )(parts)
}
