/** Limits and privileges of RUN steps: `shm_size`, `ulimits` and `entitlements` of a build. */

import type { Image } from '../../build/image.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { optional, parse } from '../../shape/parse.ts'
import type { Located } from '../../shape/shape.ts'
import { readBytes } from '../../text/bytes.ts'
import { listed } from '../../text/listed.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { NamedValue } from '../../text/written.ts'
import type { Written } from '../model.ts'
import type { RawService } from './service.ts'

type RawBuild = Exclude<NonNullable<RawService['value']['build']>['value'], string>
type RawLimit = NonNullable<RawBuild['ulimits']>['value'][number]
type Limits = Pick<Image, 'shmSize' | 'ulimits' | 'entitlements'>

/** The ulimits that BuildKit's Dockerfile frontend accepts. */
const names = ['core', 'cpu', 'data', 'fsize', 'locks', 'memlock', 'msgqueue', 'nice', 'nofile', 'nproc']
const known = [...names, 'rss', 'rtprio', 'rttime', 'sigpending', 'stack']

const readLimit = ({ key, value: { at, path, value } }: RawLimit): Checked<NamedValue> => {
  const name = key.text
  if (!known.includes(name)) {
    const help = (): string => didYouMean(name, known, `the limits are ${listed(known)}`)
    return C.fail(error('DT4031', `there is no limit "${name}"`, { at: key, path, help }))
  }
  const { hard, soft } = typeof value === 'number' ? { hard: undefined, soft: undefined } : value
  const low = typeof value === 'number' ? value : (soft ?? hard)?.value
  const high = typeof value === 'number' ? value : (hard ?? soft)?.value
  if (low === undefined || high === undefined) {
    return C.fail(error('DT1003', 'the limit has no value', { at, path, help: 'write soft: and hard:' }))
  }
  // -1 means unlimited, which is more than any number.
  if (low < -1 || high < -1 || (high !== -1 && (low === -1 || low > high))) {
    const message = `the limit ${name} cannot be ${low}, at most ${high}`
    return C.fail(error('DT4031', message, { at, path, help: 'soft: is no more than hard:; -1 means no limit' }))
  }
  return C.ok({ name, value: `${low}:${high}`, at, path })
}

/** 0 means the default. */
const readShm = (size: Located<string>): Checked<Written<number> | undefined> =>
  C.map((bytes: Located<number>) => (bytes.value === 0 ? undefined : bytes))(
    parse('DT1020', readBytes, 'write a size such as 64m or 1Gi')(size),
  )

const readEntitlement = (written: Located<string>): Checked<Written<string> | undefined> => {
  const { at, path, value } = written
  if (value === 'network.host') return C.ok(written)
  return C.note(undefined, [
    warning('DT1102', `${value} has no effect on the image build, which runs without privileges`, { at, path }),
  ])
}

/** Finds DT1003, DT1020, DT4031; warns DT1102. */
export const readLimits = ({ entitlements, shm_size: shmSize, ulimits }: RawBuild): Checked<Limits> => {
  const parts = C.struct({
    shm: optional(shmSize, readShm),
    limits: C.each(readLimit)(ulimits?.value ?? []),
    allowed: C.each(readEntitlement)(entitlements?.value ?? []),
  })
  return C.map(({ allowed = [], limits = [], shm }: C.ValueIn<typeof parts>): Limits => {
    const asked = allowed.filter((one) => one !== undefined)
    return {
      ...defined({ shmSize: shm }),
      ...(limits.length === 0 ? {} : { ulimits: limits }),
      ...(asked.length === 0 ? {} : { entitlements: asked }),
    }
  })(parts)
}
