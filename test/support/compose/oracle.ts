/** Invariants of every translation, whatever its input. Each function returns the violations. */
import type { Translation } from '../../../src/app/project/translation.ts'
import { privatePorts } from '../../../src/domain/compose/read/private-ports.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import type { KubeObject, PodTemplate, Strings } from '../../../src/domain/k8s/types.ts'
import { type Action, refOf, showRef } from '../../../src/domain/plan/action.ts'
import { type Place, source } from '../../../src/domain/text/source.ts'
import { violations } from '../kube/kubernetes.ts'
import { isDns1035 } from '../kube/kubernetes-forms.ts'
import { textOfFile } from './corpus.ts'
import { type Files, objectsOf } from './project.ts'

type Messages = ReadonlyArray<string>

/**
 * Errors without a place: no file was found, the requested file is not text or too large, a setting or variable is
 * wrong, there are too many files.
 */
const placeless: ReadonlySet<string> = new Set(['DT1006', 'DT1007', 'DT1042', 'DT1044', 'DT2001', 'DT2005'])

/** Lines as the reader counts them. */
type Lines = ReadonlyArray<number>
const linesOf = (text: string): Lines => {
  const { lineStarts } = source('', '', text)
  return lineStarts.map((start, index) => (lineStarts[index + 1] ?? text.length + 1) - start)
}

const isInside = (lines: Lines | undefined, { line, col, endLine, endCol }: Place): boolean => {
  const [first, last] = [lines?.[line - 1], lines?.[endLine - 1]]
  if (first === undefined || last === undefined) return false
  const isOrdered = line < endLine || (line === endLine && col <= endCol)
  return isOrdered && col >= 1 && endCol >= 1 && col <= first && endCol <= last
}

/** Every error has a place, and every place lies inside its file. */
const placeFaults = (files: Files, findings: ReadonlyArray<Diagnostic>): Messages => {
  const known = new Map<string, Lines | undefined>()
  const lines = (file: string): Lines | undefined => {
    if (!known.has(file)) known.set(file, file in files ? linesOf(textOfFile(files[file])) : undefined)
    return known.get(file)
  }
  return findings.flatMap((d) => {
    const name = `${d.code} ${d.message}`
    if (d.at === undefined) return d.severity !== 'error' || placeless.has(d.code) ? [] : [`${name}: no place`]
    return [d.at, ...(d.related ?? []).map(({ at }) => at)]
      .filter((place) => !isInside(lines(place.file), place))
      .map((place) => `${name}: outside of its file: ${JSON.stringify(place)}`)
  })
}

const templateOf = (object: KubeObject): PodTemplate | undefined =>
  'spec' in object && 'template' in object.spec ? object.spec.template : undefined

const selects = (selector: Strings, labels: Strings): boolean =>
  [...selector].every(([key, value]) => labels.get(key) === value)

/** A Service selects the pods of exactly one workload; a workload selects exactly its own pods. */
const selectorFaults = (objects: ReadonlyArray<KubeObject>): Messages => {
  const pods = objects.flatMap((object) => {
    const template = templateOf(object)
    return template === undefined ? [] : [{ object, labels: template.metadata.labels }]
  })
  return objects.flatMap((object) => {
    const selector =
      object.kind === 'Service'
        ? object.spec.selector
        : 'spec' in object && 'template' in object.spec && 'selector' in object.spec
          ? object.spec.selector.matchLabels
          : undefined
    if (selector === undefined) return []
    const chosen = pods.filter(({ labels }) => selects(selector, labels))
    const isOwn = object.kind === 'Service' || chosen[0]?.object === object
    return chosen.length === 1 && isOwn ? [] : [`${showRef(refOf(object))} selects ${chosen.length} workloads`]
  })
}

/** A backend must be a Service of the plan, with one of its TCP ports. */
const backendFaults = (objects: ReadonlyArray<KubeObject>): Messages => {
  const ports = new Set(
    objects.flatMap((object) =>
      object.kind === 'Service'
        ? (object.spec.ports ?? [])
            .filter(({ protocol }) => protocol === 'TCP')
            .map(({ port }) => `${object.metadata.name}:${port}`)
        : [],
    ),
  )
  return objects.flatMap((object) => {
    if (object.kind !== 'Ingress') return []
    const backends = object.spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
    return backends
      .filter(({ name, port }) => !ports.has(`${name}:${port.number}`))
      .map(({ name, port }) => `Ingress/${object.metadata.name}: no ${name}:${port.number}`)
  })
}

/** An Ingress for a service's `ports` (with the label of the service) must not lead to a private port. */
const privacyFaults = (objects: ReadonlyArray<KubeObject>): Messages => {
  const targets = new Map(
    objects.flatMap((object) =>
      object.kind === 'Service'
        ? (object.spec.ports ?? []).map(
            (p) => [`${object.metadata.name}:${p.port}/${p.protocol}`, p.targetPort] as const,
          )
        : [],
    ),
  )
  return objects.flatMap((object) => {
    if (object.kind !== 'Ingress' || object.metadata.labels?.has('dev.devtool/service') !== true) return []
    const backends = object.spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
    return backends
      .filter(({ name, port }) => privatePorts.has(targets.get(`${name}:${port.number}/TCP`) ?? 0))
      .map(({ name, port }) => `Ingress/${object.metadata.name} makes ${name}:${port.number} public`)
  })
}

const nameFaults = (objects: ReadonlyArray<KubeObject>): Messages => {
  const names = objects.map((object) => showRef(refOf(object)))
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} twice`),
    ...objects.filter(({ metadata }) => !isDns1035(metadata.name)).map((o) => `${showRef(refOf(o))}: no DNS label`),
  ]
}

/** Ids are unique, dependencies exist, and there are no cycles. */
const orderFaults = (actions: ReadonlyArray<Action>): Messages => {
  const left = new Map(actions.map(({ id, after }) => [id, after]))
  const unknown = actions.flatMap(({ id, after }) => after.filter((a) => !left.has(a)).map((a) => `${id} after ${a}`))
  for (let before = -1; left.size !== before; ) {
    before = left.size
    for (const [id, after] of left) if (after.every((other) => !left.has(other))) left.delete(id)
  }
  const waiting = [...left.keys()].map((id) => `${id} waits for itself`)
  return [...unknown, ...waiting, ...(new Set(actions.map(({ id }) => id)).size < actions.length ? ['ids repeat'] : [])]
}

/** All invariants of the plan, if there is one. */
const planFaults = (translation: Translation): Messages => {
  const objects = objectsOf(translation)
  return [
    ...objects.flatMap((object) => violations(object).map((text) => `${showRef(refOf(object))}: ${text}`)),
    ...selectorFaults(objects),
    ...backendFaults(objects),
    ...privacyFaults(objects),
    ...nameFaults(objects),
    ...orderFaults(translation.plan?.actions ?? []),
  ]
}

/** A plan or at least one error, with places, and all invariants. */
export const faults = (files: Files, translation: Translation): Messages => {
  const isRefused = translation.findings.some(({ severity }) => severity === 'error')
  return [
    ...(isRefused === (translation.plan !== undefined) ? ['neither a plan nor an error, or both'] : []),
    ...placeFaults(files, translation.findings),
    ...planFaults(translation),
  ]
}
