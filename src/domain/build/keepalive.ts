/** How long a builder may be silent. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import type { Variables } from '../yaml/interpolate.ts'

/**
 * `timeMs` of silence before a ping: `Infinity`, or at least 10 s. `timeoutMs` to wait for any byte after a ping.
 * `whileIdle`: also when no request is open.
 */
export type Keepalive = { readonly timeMs: number; readonly timeoutMs: number; readonly whileIdle: boolean }

/** Daemons close the connection if they are pinged more often. */
const shortestTimeMs = 10_000
const usualTimeoutMs = 20_000

const refuse = (name: string, text: string, why: string, help: string): Checked<never> =>
  C.fail(error('DT4021', `${name}: "${text}" ${why}`, { help }))

/** An empty variable counts as not set. */
const readMs = (variables: Variables, name: string, least: number): Checked<number | undefined> => {
  const text = (variables(name) ?? '').trim()
  if (text === '') return C.ok(undefined)
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return C.ok(Number(text))
  return refuse(name, text, 'is not a number of milliseconds', `write a whole number from ${least}, for example 30000`)
}

const readBoolean = (variables: Variables, name: string): Checked<boolean> => {
  const text = (variables(name) ?? '').trim()
  if (/^(?:true|1|yes|on)$/i.test(text)) return C.ok(true)
  if (/^(?:false|0|no|off|)$/i.test(text)) return C.ok(false)
  return refuse(name, text, 'is neither true nor false', 'write true or false')
}

const PREFIX = 'DEVTOOL_KEEPALIVE_CLIENT'

/** Finds DT4021. */
export const readKeepalive = (variables: Variables): Checked<Keepalive> => {
  const read = C.struct({
    time: readMs(variables, `${PREFIX}_TIME_MS`, 0),
    timeout: readMs(variables, `${PREFIX}_TIMEOUT_MS`, 1),
    whileIdle: readBoolean(variables, `${PREFIX}_PERMIT_WITHOUT_STREAM`),
  })
  return C.map(
    ({ time, timeout, whileIdle }: C.ValueIn<typeof read>): Keepalive => ({
      timeMs: time === undefined ? Number.POSITIVE_INFINITY : Math.max(time, shortestTimeMs),
      timeoutMs: timeout ?? usualTimeoutMs,
      whileIdle: whileIdle ?? false,
    }),
  )(read)
}
