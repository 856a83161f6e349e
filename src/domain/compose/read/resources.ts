/** CPU, memory and GPUs: `resources` in Kubernetes quantities, all other fields in Compose's units. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { readBytes, showBytes } from '../../text/bytes.ts'
import { readCpus, showCpus } from '../../text/cpus.ts'
import { readQuantity } from '../../text/quantity.ts'
import type { service } from '../fields/service.ts'
import type { Resources, Written } from '../model.ts'
import { unlikelySize } from './sizes.ts'

type RawService = ValueOf<typeof service>['value']
type Amount = Checked<Written<string> | undefined>

const quantity = (written: Located<string> | undefined): Amount =>
  optional(written, (q) =>
    C.andThen((value: Located<number>) =>
      value.value < 0
        ? C.fail(error('DT1022', 'a quantity cannot be negative', { at: q.at, path: q.path }))
        : C.ok(as(q.value, q)),
    )(parse('DT1022', readQuantity, 'write a Kubernetes quantity such as 250m or 512Mi')(q)),
  )

/** 0 means no limit in Compose. */
const cpus = (written: Located<string> | undefined): Amount =>
  optional(written, (c) =>
    C.map((milli: Located<number>) => (milli.value === 0 ? undefined : as(showCpus(milli.value), c)))(
      parse('DT1021', readCpus, 'write a number of CPUs such as 0.5')(c),
    ),
  )

const memory = (written: Located<string> | undefined): Amount =>
  optional(written, (m) =>
    C.map((bytes: Located<number>) => (bytes.value === 0 ? undefined : as(showBytes(bytes.value), m)))(
      parse('DT1020', readBytes, 'write a size such as 512m or 1.5g')(m),
    ),
  )

const periodAlone = ({ cpu_period: period, cpu_quota: quotaOfPeriod }: RawService): ReadonlyArray<Diagnostic> =>
  period === undefined || quotaOfPeriod !== undefined
    ? []
    : [warning('DT1102', 'cpu_period has no effect without cpu_quota', { at: period.at, path: period.path })]

/** CPU time per period, both in microseconds; -1 means no limit. */
const quota = (raw: RawService): Amount =>
  optional(raw.cpu_quota, (q) => {
    if (q.value === '-1') return C.ok(undefined)
    const micros = (text: string): number =>
      /^\+?[0-9]+(?:\.[0-9]*)?(?:e\+?[0-9]{1,2})?$/i.test(text) ? Math.trunc(Number(text)) : Number.NaN
    const [time, period] = [micros(q.value), micros(raw.cpu_period?.value ?? '100000')]
    if (Number.isNaN(time) || Number.isNaN(period) || period === 0) {
      return C.fail(error('DT1021', 'cpu_quota and cpu_period are microseconds', { at: q.at, path: q.path }))
    }
    const cpu = as(showCpus(Math.max(1, Math.ceil((time / period) * 1000))), q)
    return C.ok(time === 0 ? undefined : { ...cpu, ...defined({ also: raw.cpu_period && [raw.cpu_period.at] }) })
  })

const amountOf = (text: string): number => {
  const read = readQuantity(text)
  return E.isRight(read) ? read.right : 0
}

/** The first amount that is set; another one that differs is DT1038. */
const agree = (what: string, all: ReadonlyArray<Amount>): Amount => {
  const amounts = all.filter((amount) => amount._tag !== 'Right' || amount.right !== undefined)
  if (amounts.length < 2) return amounts[0] ?? C.ok(undefined)
  return C.andThen((read: ReadonlyArray<Written<string> | undefined>): Amount => {
    const [first, ...others] = read.filter((amount) => amount !== undefined)
    if (first === undefined || others.length === 0) return C.ok(first)
    const other = others.find((amount) => amountOf(amount.value) !== amountOf(first.value))
    if (other === undefined) return C.ok({ ...first, also: others.map(({ at }) => at) })
    return C.note(first, [
      error('DT1038', `${what} is ${first.value} here and ${other.value} elsewhere`, {
        at: first.at,
        path: first.path,
        help: 'remove one of the two',
        related: [{ at: other.at, message: 'the other one is here' }],
      }),
    ])
  })(C.each((amount: Amount) => amount)(amounts))
}

/** More than any node has: `cpu: 500` does not mean half a CPU. */
const mostCpus = 256

const unlikelyCpu = (amount: Written<string> | undefined): ReadonlyArray<Diagnostic> =>
  amount === undefined || amountOf(amount.value) <= mostCpus
    ? []
    : [
        warning('DT1123', `${amount.value} CPUs are more than a node has`, {
          at: amount.at,
          path: amount.path,
          help: 'a thousandth of a CPU is 1m',
        }),
      ]

/** Docker takes `cpu_count` on Windows only. */
const countIgnored = (count: RawService['cpu_count']): ReadonlyArray<Diagnostic> =>
  count === undefined
    ? []
    : [warning('DT1102', 'cpu_count has no effect beside another limit', { at: count.at, path: count.path })]

const withinLimit = (
  what: string,
  request: Written<string> | undefined,
  limit: Written<string> | undefined,
): ReadonlyArray<Diagnostic> =>
  request === undefined || limit === undefined || amountOf(request.value) <= amountOf(limit.value)
    ? []
    : [
        error('DT1038', `more ${what} is reserved (${request.value}) than the limit allows (${limit.value})`, {
          at: request.at,
          path: request.path,
          related: [{ at: limit.at, message: 'the limit is here' }],
        }),
      ]

type Devices = Exclude<NonNullable<RawService['gpus']>['value'], string>
type Device = Devices[number]
const vendors = { nvidia: 'nvidia.com/gpu', amd: 'amd.com/gpu' } as const

/** -1 and `all` mean all GPUs of the node. */
const gpuCount = (count: Located<string> | undefined): Checked<number> => {
  if (count === undefined) return C.ok(1)
  const place = { at: count.at, path: count.path }
  if (count.value === 'all' || count.value === '-1') {
    return C.note(1, [warning('DT1110', 'a pod cannot request all GPUs of a node, so one is requested', place)])
  }
  return /^[0-9]{1,4}$/.test(count.value)
    ? C.ok(Number(count.value))
    : C.fail(error('DT1018', 'count must be a whole number, or all', place))
}

type Gpu = NonNullable<Resources['gpu']>

const readDevice = (device: Device): Checked<Gpu | undefined> => {
  const { capabilities, count, device_ids: ids, driver } = device.value
  const place = { at: device.at, path: device.path }
  const withoutEffect = (message: string) => C.note(undefined, [warning('DT1102', message, place)])
  if (count !== undefined && ids !== undefined)
    return C.fail(error('DT1038', 'count and device_ids exclude each other', place))
  const isGpu = capabilities?.value.some((capability) => capability.value === 'gpu') ?? false
  if (!isGpu && capabilities !== undefined)
    return withoutEffect('a device without the capability gpu has no effect on Kubernetes')
  const vendor = driver === undefined || driver.value === '' ? 'nvidia' : driver.value
  if (vendor !== 'nvidia' && vendor !== 'amd')
    return withoutEffect(`the device driver "${vendor}" has no effect on Kubernetes`)
  const wanted = ids === undefined ? gpuCount(count) : C.ok(ids.value.length)
  return C.map((number: number) => as({ name: vendors[vendor], count: number }, device))(wanted)
}

/** A pod gets GPUs by number: those of several entries are added up, and those of a second vendor are left out. */
const addedUp = (gpus: ReadonlyArray<Gpu>): Checked<Resources['gpu']> => {
  const [first, ...others] = gpus.filter(({ value }) => value.count > 0)
  if (first === undefined) return C.ok(undefined)
  const { name } = first.value
  const same = others.filter(({ value }) => value.name === name)
  const count = same.reduce((sum, { value }) => sum + value.count, first.value.count)
  const also = same.map(({ at }) => at)
  return C.note(
    { ...first, value: { name, count }, ...(also.length === 0 ? {} : { also }) },
    others
      .filter((gpu) => !same.includes(gpu))
      .map(({ at, path, value }) =>
        warning('DT1102', `${value.name} has no effect beside ${name}: a container gets GPUs of one vendor`, {
          at,
          path,
        }),
      ),
  )
}

const readGpus = (raw: RawService): Checked<Resources['gpu']> => {
  const { gpus } = raw
  if (gpus !== undefined && typeof gpus.value === 'string') {
    return gpus.value === 'all'
      ? C.map((count: number) => as({ name: vendors.nvidia, count }, gpus))(gpuCount(as('all', gpus)))
      : C.fail(error('DT1018', 'gpus must be all, or a list of devices', { at: gpus.at, path: gpus.path }))
  }
  const reserved = raw.deploy?.value.resources?.value.reservations?.value.devices
  if (gpus === undefined && reserved === undefined) return C.ok(undefined)
  const missing = (reserved?.value ?? []).filter((device) => device.value.capabilities === undefined)
  const own = gpus !== undefined && typeof gpus.value !== 'string' ? gpus.value : []
  const devices = [...own, ...(reserved?.value ?? [])]
  const found = missing.map((device) =>
    error('DT1018', 'a device needs capabilities', {
      at: device.at,
      path: device.path,
      help: 'add capabilities: [gpu]',
    }),
  )
  return pipe(
    C.each(readDevice)(devices),
    C.map((read) => read.filter((gpu) => gpu !== undefined)),
    C.andThen(addedUp),
    C.andThen((gpu) => C.note(gpu, found)),
  )
}

/** Finds DT1018, DT1020, DT1021, DT1022, DT1038; warns DT1102, DT1110. */
export const readResources = (raw: RawService): Checked<Resources> => {
  const own = raw.resources?.value
  const { limits, reservations } = raw.deploy?.value.resources?.value ?? {}
  const count = raw.cpu_count === undefined ? undefined : as(String(raw.cpu_count.value), raw.cpu_count)
  const otherCpus = [own?.limits?.value.cpu, limits?.value.cpus, raw.cpus, raw.cpu_quota]
  const parts = C.struct({
    limitCpu: agree('the CPU limit', [
      quantity(own?.limits?.value.cpu),
      cpus(limits?.value.cpus),
      cpus(raw.cpus),
      otherCpus.every((other) => other === undefined) ? cpus(count) : C.note(undefined, countIgnored(raw.cpu_count)),
      quota(raw),
    ]),
    limitMemory: agree('the memory limit', [
      quantity(own?.limits?.value.memory),
      memory(limits?.value.memory),
      memory(raw.mem_limit),
    ]),
    requestCpu: agree('the CPU request', [quantity(own?.requests?.value.cpu), cpus(reservations?.value.cpus)]),
    requestMemory: agree('the memory request', [
      quantity(own?.requests?.value.memory),
      memory(reservations?.value.memory),
      memory(raw.mem_reservation),
    ]),
    gpu: readGpus(raw),
  })
  return C.andThen(({ limitCpu, limitMemory, requestCpu, requestMemory, gpu }: C.ValueIn<typeof parts>) => {
    const found = [
      ...periodAlone(raw),
      ...withinLimit('CPU', requestCpu, limitCpu),
      ...withinLimit('memory', requestMemory, limitMemory),
      ...[requestCpu, limitCpu].flatMap(unlikelyCpu),
      ...[requestMemory, limitMemory].flatMap((amount) => unlikelySize('memory', amount)),
    ]
    const amounts = (cpu: typeof limitCpu, mem: typeof limitMemory) => defined({ cpu, memory: mem })
    const resources: Resources = {
      requests: amounts(requestCpu, requestMemory),
      limits: amounts(limitCpu, limitMemory),
      ...defined({ gpu }),
    }
    return C.note(resources, found)
  })(parts)
}
