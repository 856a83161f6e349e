/** Port forwards of the manifest and of development containers. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { labelsOf } from '../../shape/named-values.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import type { NamedValue, Placed } from '../../text/written.ts'
import type { DevForward, Reverse } from '../dev-model.ts'
import type * as fields from '../fields/dev.ts'
import { repeated } from './parts.ts'

type Raw = ValueOf<typeof fields.forward>
type ForwardItem = Raw['value'][number]
type Long = Exclude<ForwardItem['value'], string>

const fault = (message: string, { at, path }: Placed, help: string): Diagnostic =>
  error('DT1510', message, { at, path, help })

const forms = (isGlobal: boolean): string =>
  isGlobal
    ? 'write local:service:remote, for example 8080:web:80'
    : 'write local:remote or local:service:remote; a range of ports is 8080-8089'

const readPort = (text: string, place: Placed, help: string): Checked<number> => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return C.ok(port)
  return C.fail(fault(`"${text}" is not a port from 1 to 65535`, place, help))
}

/** A range listens on each of its ports. */
const mostPorts = 1000

/** `8080`, or a range: `8080-8089`. */
const readPorts = (text: string, place: Placed, help: string): Checked<ReadonlyArray<number>> => {
  const [first = '', last = first, ...more] = text.split('-')
  const ends = C.struct({ first: readPort(first, place, help), last: readPort(last, place, help) })
  if (more.length > 0 || C.hasErrors(C.findings(ends))) {
    const isRange = text.includes('-')
    return C.fail(fault(`"${text}" is not a ${isRange ? 'range of ports' : 'port'} from 1 to 65535`, place, help))
  }
  const { first: from = 0, last: to = 0 } = C.valueOf(ends) ?? {}
  if (to < from) return C.fail(fault(`the range "${text}" ends before it starts`, place, help))
  if (to - from >= mostPorts) return C.fail(fault(`the range "${text}" has more than ${mostPorts} ports`, place, help))
  return C.ok(Array.from({ length: to - from + 1 }, (_, index) => from + index))
}

const ofText = (text: string, place: Placed, isGlobal: boolean): Checked<ReadonlyArray<DevForward>> => {
  const { at, path } = place
  const help = forms(isGlobal)
  const parts = text.split(':')
  const [local = '', service, remote] = parts.length === 2 ? [parts[0], undefined, parts[1]] : parts
  if (parts.length < 2 || parts.length > 3 || service === '') {
    return C.fail(fault(`"${text}" is not a port forward`, place, help))
  }
  const found = isGlobal && service === undefined ? [fault('the service is missing', place, help)] : []
  const ports = C.struct({ local: readPorts(local, place, help), remote: readPorts(remote ?? '', place, help) })
  return C.andThen((read: C.ValueIn<typeof ports>): Checked<ReadonlyArray<DevForward>> => {
    const { local: locals, remote: remotes } = read
    if (locals === undefined || remotes === undefined) {
      return C.failBecause(C.findings(ports), fault(`"${text}" is not a port forward`, place, help))
    }
    if (locals.length !== remotes.length) {
      return C.fail(fault(`"${text}" has ${locals.length} local ports and ${remotes.length} remote ones`, place, help))
    }
    const forwards = locals.map(
      (port, index): DevForward => ({ local: port, remote: remotes[index] ?? port, ...defined({ service }), at, path }),
    )
    return C.note(forwards, found)
  })(ports)
}

const ofMapping = ({ at, path, value }: Located<Long>, isGlobal: boolean): Checked<ReadonlyArray<DevForward>> => {
  const { labels, localPort, name, remotePort } = value
  const place = { at, path }
  if (localPort === undefined || remotePort === undefined) {
    return C.fail(fault('a forward needs localPort and remotePort', place, 'give both'))
  }
  const both = name !== undefined && labels !== undefined
  const none = name === undefined && labels === undefined
  const found =
    both || (none && isGlobal) ? [fault('a forward leads to either a name or labels', place, 'write one of them')] : []
  const parts = C.struct({
    local: readPort(String(localPort.value), localPort, 'write a number'),
    remote: readPort(String(remotePort.value), remotePort, 'write a number'),
    labels: labels === undefined ? C.ok(undefined) : labelsOf(labels),
  })
  return C.andThen((read: C.ValueIn<typeof parts>) =>
    C.note<ReadonlyArray<DevForward>>(
      [
        {
          local: read.local ?? 0,
          remote: read.remote ?? 0,
          ...defined({ service: name?.value, labels: read.labels satisfies ReadonlyArray<NamedValue> | undefined }),
          at,
          path,
        },
      ],
      found,
    ),
  )(parts)
}

/** `isGlobal`: a forward of the manifest itself, which has to name a service. Finds DT1510. */
export const readForwards = (raw: Raw | undefined, isGlobal: boolean): Checked<ReadonlyArray<DevForward>> =>
  C.andThen((items: ReadonlyArray<ReadonlyArray<DevForward>>) => {
    const forwards = items.flat()
    return C.note(
      forwards,
      repeated(forwards, ({ local }) => String(local)).map((one) =>
        fault(`the local port ${one.local} is used twice`, one, 'choose another local port'),
      ),
    )
  })(
    C.each(({ at, path, value }: ForwardItem) =>
      typeof value === 'string' ? ofText(value, { at, path }, isGlobal) : ofMapping({ at, path, value }, isGlobal),
    )(raw?.value ?? []),
  )

/** Finds DT1510. */
export const readReverse = (item: Located<string>): Checked<Reverse> => {
  const { at, path, value } = item
  const help = 'write remote:local'
  const [remote = '', local = '', ...more] = value.split(':')
  if (local === '' || more.length > 0) return C.fail(fault(`"${value}" is not a reverse forward`, { at, path }, help))
  const ports = C.struct({ remote: readPort(remote, item, help), local: readPort(local, item, help) })
  return C.map(
    (read: C.ValueIn<typeof ports>): Reverse => ({ remote: read.remote ?? 0, local: read.local ?? 0, at, path }),
  )(ports)
}
