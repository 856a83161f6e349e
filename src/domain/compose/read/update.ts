/** `deploy.update_config`: how old containers are replaced by new ones. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { choose, inRange, optional, parse } from '../../shape/parse.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { readDuration } from '../../text/duration.ts'
import type { service } from '../fields/service.ts'
import type { UpdateConfig } from '../model.ts'

type RawService = ValueOf<typeof service>['value']

const orders = { 'start-first': 'start-first', 'stop-first': 'stop-first' } as const

/** Finds DT1018, DT1019. A parallelism of 0 means all at once, as in Compose. */
export const readUpdateConfig = (raw: RawService): Checked<UpdateConfig> => {
  const config = raw.deploy?.value.update_config
  if (config === undefined) return C.ok({})
  const { order, parallelism, delay } = config.value
  const parts = C.struct({
    order: optional(order, choose('order', orders)),
    parallelism: optional(parallelism, inRange('parallelism', 0, 2_147_483_647)),
    delay: optional(delay, parse('DT1019', readDuration, 'write a duration such as 10s or 1m30s')),
  })
  return C.map(
    (read: C.ValueIn<typeof parts>): UpdateConfig => ({
      at: config.at,
      ...defined({
        order: read.order?.value,
        parallelism: read.parallelism?.value,
        minReadySeconds: ifDefined(read.delay, ({ value }) => Math.ceil(value / 1000)),
      }),
    }),
  )(parts)
}
