/** `deploy` and `destroy`: the commands to run, and the Compose files to deploy. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { pathWritten } from '../../text/path.ts'
import type { Node } from '../../yaml/node.ts'
import type * as fields from '../fields/commands.ts'
import type { ComposeSelection, Deploy, ManifestCommand } from '../model.ts'
import { incomplete, repeated } from './parts.ts'

type RawCommands = ValueOf<typeof fields.commands>
type RawSelections = ValueOf<typeof fields.compose>

/** Finds DT1511. */
export const readCommands = (raw: RawCommands | undefined): Checked<ReadonlyArray<ManifestCommand>> =>
  C.each(({ at, path, value: { command, name } }: RawCommands['value'][number]) => {
    if (command === undefined || command.value.trim() === '') {
      return C.fail(incomplete('there is no command', { at, path }, 'write its text under command'))
    }
    const [first = ''] = command.value.trim().split('\n', 1)
    return C.ok<ManifestCommand>({ name: name?.value ?? first.trim(), command: command.value, at, path })
  })(raw?.value ?? [])

const readSelection = (item: RawSelections['value'][number]): Checked<ComposeSelection> => {
  const { file, services } = item.value
  if (file === undefined || file.value === '') {
    return C.fail(incomplete('no Compose file is named', item, 'name it under file'))
  }
  const { at, path } = file
  const resolved = pathWritten(at, file.value)
  return C.ok({ file: resolved, ...defined({ services: services?.value }), at, path })
}

const help = 'name each Compose file once, with all of its services'

/** `own` is the manifest, which cannot be one of its own Compose files. */
const readCompose = (raw: RawSelections | undefined, own: string): Checked<ReadonlyArray<ComposeSelection>> =>
  C.andThen((all: ReadonlyArray<ComposeSelection>) => {
    const wrong = new Set(repeated(all, ({ file }) => file))
    const found = all.flatMap((selection) => {
      const { at, file, path } = selection
      if (file === own) return [error('DT1043', 'the manifest is not a Compose file', { at, path, help })]
      return wrong.has(selection) ? [error('DT1504', `${file} is listed twice`, { at, path, help })] : []
    })
    return C.note(
      all.filter((selection) => selection.file !== own && !wrong.has(selection)),
      found,
    )
  })(C.each(readSelection)(raw?.value ?? []))

/** `endpoints` replaces all others, and is read together with the Compose files. */
export type ReadDeploy = { readonly deploy: Deploy; readonly endpoints?: Node }

/** Finds DT1043, DT1504, DT1511. */
export const readDeploy = (raw: ValueOf<typeof fields.deploy> | undefined, own: string): Checked<ReadDeploy> => {
  const { commands, compose, endpoints } = raw?.value ?? {}
  const parts = C.struct({ commands: readCommands(commands), compose: readCompose(compose, own) })
  return C.map(
    (read: C.ValueIn<typeof parts>): ReadDeploy => ({
      deploy: { commands: read.commands ?? [], compose: read.compose ?? [] },
      ...defined({ endpoints: endpoints?.value }),
    }),
  )(parts)
}
