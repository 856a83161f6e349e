/** Where pods may run: `x-node-selector`, `platform` and `deploy.placement`. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import { HOSTNAME_LABEL } from '../../k8s/labels.ts'
import { defined } from '../../object/defined.ts'
import { as, optional } from '../../shape/parse.ts'
import type { Located, Pair, ValueOf } from '../../shape/shape.ts'
import { isDnsName } from '../../text/dns-name.ts'
import type { Annotation } from '../annotation.ts'
import type { service } from '../fields/service.ts'
import type { Placement } from '../model.ts'
import { isQualifiedName } from './labels.ts'

type RawService = ValueOf<typeof service>['value']
type Expression = Placement['expressions'][number]

const labelValue = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/

const selectorEntry = (pair: Pair): Checked<Annotation> => {
  const place = { at: pair.at, path: pair.path }
  if (pair.value === undefined) return C.fail(error('DT1018', `the node label ${pair.name} has no value`, place))
  if (!isQualifiedName(pair.name))
    return C.fail(error('DT1018', `"${pair.name}" is not a valid node label name`, place))
  if (!labelValue.test(pair.value)) {
    return C.fail(
      error('DT1018', `"${pair.value}" is not a valid node label value`, {
        ...place,
        help: 'at most 63 letters, digits, -, _ and .',
      }),
    )
  }
  return C.ok({ name: pair.name, value: pair.value, at: pair.at })
}

const systems: ReadonlySet<string> = new Set(['linux', 'windows'])
const architectures: Readonly<Record<string, string>> = {
  amd64: 'amd64',
  x86_64: 'amd64',
  'x86-64': 'amd64',
  arm64: 'arm64',
  aarch64: 'arm64',
  arm: 'arm',
  '386': '386',
  i386: '386',
  ppc64le: 'ppc64le',
  s390x: 's390x',
  riscv64: 'riscv64',
}

const architecture = (word: string): string | undefined =>
  Object.hasOwn(architectures, word) ? architectures[word] : undefined

const os = 'kubernetes.io/os'
const arch = 'kubernetes.io/arch'

/** Nodes have no label for the variant of their architecture; for arm64, v8 is the only one. */
const variantFindings = (written: Located<string>, known: string, variant?: string): ReadonlyArray<Diagnostic> =>
  variant === undefined || (known === 'arm64' && variant === 'v8')
    ? []
    : [
        warning('DT1110', `the variant ${variant} has no effect, since nodes have no label for it`, {
          at: written.at,
          path: written.path,
        }),
      ]

/** `os[/arch[/variant]]`, or just an architecture. */
const readPlatform = (
  written: Located<string>,
  runtime: Located<string> | undefined,
): Checked<ReadonlyArray<Annotation>> => {
  const [first = '', second, variant] = written.value.toLowerCase().split('/')
  const entry = (name: string, value: string): Annotation => ({ name, value, at: written.at })
  if (systems.has(first)) {
    const known = second === undefined ? undefined : architecture(second)
    if (second === undefined) return C.ok([entry(os, first)])
    if (known !== undefined)
      return C.note([entry(os, first), entry(arch, known)], variantFindings(written, known, variant))
  }
  const alone = second === undefined ? architecture(first) : undefined
  if (alone !== undefined) return C.ok([entry(arch, alone)])
  const place = { at: written.at, path: written.path }
  const message = `the platform ${written.value} has no effect, since nodes have no label for it`
  // The RuntimeClass chooses the nodes that can run it.
  return C.note([], [runtime === undefined ? warning('DT1102', message, place) : remark('DT1102', message, place)])
}

const constraintKeys: Readonly<Record<string, string>> = {
  'node.hostname': HOSTNAME_LABEL,
  'node.platform.os': os,
  'node.platform.arch': arch,
}

const controlPlane = 'node-role.kubernetes.io/control-plane'

/** `key == value` or `key != value` (Compose Deploy Specification, "placement"). */
const readConstraint = (written: Located<string>): Checked<Expression | undefined> => {
  const place = { at: written.at, path: written.path }
  const [, key = '', operator = '', value = ''] =
    /^\s*([A-Za-z0-9_./-]+)\s*(==|!=)\s*(\S(?:.*\S)?)\s*$/.exec(written.value) ?? []
  if (key === '') {
    return C.fail(
      error('DT1018', `"${written.value}" is not a valid constraint`, {
        ...place,
        help: 'write node.labels.NAME == value',
      }),
    )
  }
  const isEqual = operator === '=='
  if (key === 'node.role') {
    const isManager = (value === 'manager') === isEqual
    const expression = { key: controlPlane, operator: isManager ? 'Exists' : 'DoesNotExist', at: written.at } as const
    const why = 'pods only start on nodes of the control plane, which many clusters do not have or keep for themselves'
    const help = 'remove it unless the cluster lets pods run there'
    return C.note(expression, isManager ? [warning('DT1110', why, { ...place, help })] : [])
  }
  const label = key.startsWith('node.labels.') ? key.slice('node.labels.'.length) : constraintKeys[key]
  if (label === undefined) {
    return C.note(undefined, [
      warning('DT1102', `${key} has no effect: Kubernetes selects nodes by their labels`, place),
    ])
  }
  if (!isQualifiedName(label) || !labelValue.test(value)) {
    return C.fail(error('DT1018', `"${written.value}" is not a valid node label`, place))
  }
  const known = label === arch ? (architecture(value) ?? value) : value
  return C.ok({ key: label, operator: isEqual ? 'In' : 'NotIn', values: [known], at: written.at })
}

const onePerNode = (written: Located<number> | undefined): Checked<Placement['onePerNode']> => {
  if (written === undefined) return C.ok(undefined)
  if (written.value === 1) return C.ok(as(true as const, written))
  return C.note(undefined, [
    warning('DT1102', 'max_replicas_per_node has no effect, since Kubernetes can only express one per node', {
      at: written.at,
      path: written.path,
    }),
  ])
}

/** Docker's own runtime is what pods have without a RuntimeClass. */
const readRuntime = (written: Located<string>): Checked<Placement['runtimeClass']> => {
  const { at, path, value } = written
  if (/^(?:runc|io\.containerd\.runc\.v[12])$/.test(value)) {
    return C.note(undefined, [remark('DT1102', `${value} is the default, so no runtime class is set`, { at, path })])
  }
  if (!isDnsName(value)) {
    const why = `"${value}" cannot be the name of a RuntimeClass, so the runtime of the cluster is used`
    return C.note(undefined, [warning('DT1102', why, { at, path })])
  }
  const why = `pods only start in a cluster that has a RuntimeClass "${value}"`
  return C.note(written, [warning('DT1110', why, { at, path })])
}

/** Finds DT1018; warns DT1102, DT1110. */
export const readPlacement = (raw: RawService): Checked<Placement> => {
  const placement = raw.deploy?.value.placement?.value
  const parts = C.struct({
    selector: C.each(selectorEntry)(raw['x-node-selector']?.value ?? []),
    platform: raw.platform === undefined ? C.ok([]) : readPlatform(raw.platform, raw.runtime),
    expressions: C.each(readConstraint)(placement?.constraints?.value ?? []),
    onePerNode: onePerNode(placement?.max_replicas_per_node),
    runtimeClass: optional(raw.runtime, readRuntime),
  })
  const preferences = (placement?.preferences?.value ?? []).flatMap(({ value: { spread } }) =>
    spread === undefined ? [] : [spread],
  )
  const isLabel = (spread: Located<string>): boolean => isQualifiedName(labelOf(spread))
  const found: ReadonlyArray<Diagnostic> = preferences
    .filter((spread) => !isLabel(spread))
    .map((spread) =>
      error('DT1018', `"${spread.value}" is not a node label to spread over`, {
        at: spread.at,
        path: spread.path,
        help: 'write node.labels.NAME',
      }),
    )
  return C.andThen((read: C.ValueIn<typeof parts>) => {
    const own = new Map((read.selector ?? []).map((entry) => [entry.name, entry]))
    const beaten = (read.platform ?? []).filter(({ name, value }) => (own.get(name)?.value ?? value) !== value)
    const byName = new Map([...(read.platform ?? []), ...own.values()].map((entry) => [entry.name, entry]))
    const result: Placement = {
      nodeSelector: [...byName.values()],
      expressions: (read.expressions ?? []).filter((e) => e !== undefined),
      spread: preferences.filter(isLabel).map((spread) => as(labelOf(spread), spread)),
      ...defined({ onePerNode: read.onePerNode, runtimeClass: read.runtimeClass }),
    }
    const contradictions = beaten.map(({ name, at }) =>
      error('DT1038', `platform and x-node-selector ask for different ${name}`, { at, path: raw.platform?.path }),
    )
    return C.note(result, [...found, ...contradictions])
  })(parts)
}

const labelOf = ({ value }: Located<string>): string => constraintKeys[value] ?? value.replace(/^node\.labels\./, '')
