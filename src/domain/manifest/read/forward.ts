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
  isGlobal ? 'write local:service:remote, for example 8080:web:80' : 'write local:remote or local:service:remote'

const readPort = (text: string, place: Placed, help: string): Checked<number> => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return C.ok(port)
  return C.fail(fault(`"${text}" is not a port from 1 to 65535`, place, help))
}

const ofText = (text: string, place: Placed, isGlobal: boolean): Checked<DevForward> => {
  const { at, path } = place
  const help = forms(isGlobal)
  const parts = text.split(':')
  const [local = '', service, remote] = parts.length === 2 ? [parts[0], undefined, parts[1]] : parts
  if (parts.length < 2 || parts.length > 3 || service === '') {
    return C.fail(fault(`"${text}" is not a port forward`, place, help))
  }
  const found = isGlobal && service === undefined ? [fault('the service is missing', place, help)] : []
  const ports = C.struct({ local: readPort(local, place, help), remote: readPort(remote ?? '', place, help) })
  return C.andThen((read: C.ValueIn<typeof ports>) =>
    read.local === undefined || read.remote === undefined
      ? C.failBecause(C.findings(ports), fault(`"${text}" is not a port forward`, place, help))
      : C.note<DevForward>({ local: read.local, remote: read.remote, ...defined({ service }), at, path }, found),
  )(ports)
}

const ofMapping = ({ at, path, value }: Located<Long>, isGlobal: boolean): Checked<DevForward> => {
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
    C.note<DevForward>(
      {
        local: read.local ?? 0,
        remote: read.remote ?? 0,
        ...defined({ service: name?.value, labels: read.labels satisfies ReadonlyArray<NamedValue> | undefined }),
        at,
        path,
      },
      found,
    ),
  )(parts)
}

/** `isGlobal`: a forward of the manifest itself, which has to name a service. Finds DT1510. */
export const readForwards = (raw: Raw | undefined, isGlobal: boolean): Checked<ReadonlyArray<DevForward>> =>
  C.andThen((forwards: ReadonlyArray<DevForward>) =>
    C.note(
      forwards,
      repeated(forwards, ({ local }) => String(local)).map((one) =>
        fault(`the local port ${one.local} is used twice`, one, 'choose another local port'),
      ),
    ),
  )(
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
