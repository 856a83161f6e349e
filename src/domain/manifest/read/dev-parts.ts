/** Settings shared by development containers and the services beside them. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Located, located, type ValueOf } from '../../shape/shape.ts'
import type { DevCommand, DevResources } from '../dev-model.ts'
import type * as fields from '../fields/dev.ts'
import { quantitiesOf } from './parts.ts'

export type RawDev = ValueOf<typeof fields.devContainer>['value']
export type RawDevService = ValueOf<typeof fields.devService>
export type RawBase = RawDevService['value']
type RawCommand = NonNullable<RawBase['command']>

/** A string is run by a shell, since it may need one; a list is run as it is. */
export const commandOf = ({ at, path, value }: RawCommand): Located<DevCommand> =>
  typeof value === 'string'
    ? located<DevCommand>({ _tag: 'Shell', text: value }, at, path)
    : located<DevCommand>({ _tag: 'Words', words: value.map((word) => word.value) }, at, path)

export const readResources = (raw: RawBase['resources']): Checked<DevResources> => {
  const parts = C.struct({
    requests: quantitiesOf(raw?.value.requests),
    limits: quantitiesOf(raw?.value.limits),
  })
  return C.map(({ limits = [], requests = [] }: C.ValueIn<typeof parts>) => ({ requests, limits }))(parts)
}
