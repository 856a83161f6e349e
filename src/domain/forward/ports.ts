/** `[LOCAL:]PORT`, as `forward` takes it. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { visible } from '../text/visible.ts'

/** `local` 0 is any free port. */
export type ForwardPort = { readonly local: number; readonly remote: number }

const mostPort = 65_535

const readForwardPort = (written: string): Checked<ForwardPort> => {
  const [, local, remote = ''] = /^(?:(\d{0,5}):)?(\d{1,5})$/.exec(written) ?? []
  const port = { local: Number(local ?? remote), remote: Number(remote) }
  return port.remote > 0 && port.remote <= mostPort && port.local <= mostPort
    ? C.ok(port)
    : C.fail(
        error('DT2001', `"${visible(written)}" is no port`, {
          help: 'write PORT, LOCAL:PORT, or :PORT for any free local port; ports are 1 to 65535',
        }),
      )
}

/** At least one, and no local port twice. */
export const readForwardPorts = (written: ReadonlyArray<string>): Checked<ReadonlyArray<ForwardPort>> => {
  if (written.length === 0)
    return C.fail(error('DT2001', 'PORT is missing', { help: 'for example: `forward db 5432`' }))
  const read = C.each(readForwardPort)(written)
  const locals = (C.valueOf(read) ?? []).flatMap(({ local }) => (local === 0 ? [] : [local]))
  const twice = locals.find((local, at) => locals.indexOf(local) !== at)
  return twice === undefined
    ? read
    : C.fail(
        error('DT2001', `local port ${twice} is given twice`, { help: 'write LOCAL:PORT with another local port' }),
      )
}
