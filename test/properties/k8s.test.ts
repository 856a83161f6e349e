import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../src/domain/checked.ts'
import type { KubeObject, PodTemplate, Strings, Workload } from '../../src/domain/k8s/types.ts'
import { PlanJson, toPlanJson } from '../../src/domain/plan/codec.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'
import { showPlan } from '../../src/domain/plan/show.ts'
import { stagesOf } from '../../src/domain/plan/stages.ts'
import { printJson } from '../../src/domain/print/json.ts'
import { printYaml, printYamlLines } from '../../src/domain/print/yaml.ts'
import { isDnsLabel } from '../../src/domain/text/dns-name.ts'
import { escapeExpansion } from '../../src/domain/translate/env.ts'
import { translate } from '../../src/domain/translate/translate.ts'
import { arbitraryModel, arbitraryTarget } from '../support/arbitrary/model.ts'
import { appliesIn, isWorkload, objectsIn, ofKind, planOf } from '../support/compose/plan.ts'

const plan: fc.Arbitrary<Plan> = fc
  .tuple(arbitraryTarget, arbitraryModel)
  .map(([target, model]) => planOf(model, target))

/** Of models without a mistake. */
const goodPlan: fc.Arbitrary<Plan> = fc
  .tuple(arbitraryTarget, arbitraryModel)
  .map(([target, model]) => translate(target, model))
  .filter((checked) => !C.hasErrors(C.findings(checked)))
  .map((checked) => C.valueOf(checked) ?? { schema: 1, environment: '', actions: [] })

const workloads = (of: Plan): ReadonlyArray<Workload> => objectsIn(of).filter(isWorkload)

const covers = (labels: Strings, selector: Strings): boolean =>
  [...selector].every(([key, value]) => labels.get(key) === value)

test('k8s: every selector matches the pods of its own service and of no other, except for aliases that several have', () => {
  fc.assert(
    fc.property(goodPlan, (made) => {
      const templates = workloads(made).map(({ spec: { template } }) => template.metadata.labels)
      for (const { spec } of workloads(made)) {
        if ('selector' in spec) assert.ok(covers(spec.template.metadata.labels, spec.selector.matchLabels))
      }
      for (const { spec } of ofKind(made, 'Service')) {
        const count = templates.filter((labels) => covers(labels, spec.selector)).length
        const isShared = [...spec.selector.keys()].some((key) => key.startsWith('dev.devtool/alias-'))
        assert.ok(isShared ? count > 1 : count === 1)
      }
    }),
  )
})

const claimTemplates = ({ spec }: Workload): ReadonlyArray<string> =>
  'volumeClaimTemplates' in spec ? (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name) : []

const containersOf = ({ spec }: PodTemplate) => [...(spec.initContainers ?? []), ...spec.containers]

test('k8s: every mounted volume is declared once', () => {
  fc.assert(
    fc.property(plan, (made) => {
      for (const workload of workloads(made)) {
        const { template } = workload.spec
        const declared = [...(template.spec.volumes ?? []).map(({ name }) => name), ...claimTemplates(workload)]
        assert.is(new Set(declared).size, declared.length)
        for (const { volumeMounts = [] } of containersOf(template)) {
          for (const { name } of volumeMounts) assert.ok(declared.includes(name), name)
        }
      }
    }),
  )
})

test('k8s: every backend of an Ingress is a port of a Service', () => {
  fc.assert(
    fc.property(plan, (made) => {
      const ports = new Set(
        ofKind(made, 'Service').flatMap(({ metadata, spec }) =>
          (spec.ports ?? []).map(({ port }) => `${metadata.name}:${port}`),
        ),
      )
      for (const { spec } of ofKind(made, 'Ingress')) {
        for (const { http } of spec.rules) {
          for (const { backend } of http.paths) {
            assert.ok(ports.has(`${backend.service.name}:${backend.service.port.number}`))
          }
        }
      }
    }),
  )
})

test('k8s: names are DNS labels, once for each kind, and so are those inside a pod', () => {
  fc.assert(
    fc.property(goodPlan, (made) => {
      const names = objectsIn(made).map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      assert.is(new Set(names).size, names.length)
      for (const { kind, metadata } of objectsIn(made)) {
        assert.ok(isDnsLabel(metadata.name), metadata.name)
        assert.ok(kind !== 'StatefulSet' || metadata.name.length <= 52)
      }
      for (const { spec } of workloads(made)) {
        const inside = containersOf(spec.template).map(({ name }) => name)
        assert.is(new Set(inside).size, inside.length)
        for (const name of [...inside, ...(spec.template.spec.volumes ?? []).map((v) => v.name)])
          assert.ok(isDnsLabel(name))
      }
      for (const { spec } of ofKind(made, 'Service')) {
        const portNames = (spec.ports ?? []).map(({ name }) => name)
        assert.is(new Set(portNames).size, portNames.length)
        for (const name of portNames) assert.ok(name.length <= 15)
      }
    }),
  )
})

const hollow = (value: unknown, path: string): ReadonlyArray<string> => {
  if (value === undefined || value === null) return [path]
  if (typeof value !== 'object') return []
  const members = value instanceof Map ? [...value] : Object.entries(value)
  if (members.length === 0) return [path]
  return members.flatMap(([key, member]) => hollow(member, `${path}.${key}`))
}

test('k8s: nothing is undefined and nothing is empty', () => {
  fc.assert(
    fc.property(plan, (made) => {
      assert.equal(
        objectsIn(made).flatMap((object) => hollow(object, object.kind)),
        [],
      )
    }),
  )
})

test('k8s: every origin is the path of something in its object', () => {
  fc.assert(
    fc.property(plan, (made) => {
      for (const { object, origins } of appliesIn(made)) {
        const paths = new Set(printYamlLines(object).map(({ path }) => path))
        const known = [...paths]
        assert.is(origins[0]?.path, '')
        for (const { path } of origins) {
          assert.ok(paths.has(path) || known.some((other) => other.startsWith(path)), path)
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('plan: ids are unique, dependencies exist, and no action depends on itself', () => {
  fc.assert(
    fc.property(goodPlan, (made) => {
      const ids = new Set(made.actions.map(({ id }) => id))
      assert.is(ids.size, made.actions.length)
      for (const { after } of made.actions) for (const id of after) assert.ok(ids.has(id), id)
      const stageOf = new Map(stagesOf(made).flatMap((stage, n) => stage.map(({ id }) => [id, n] as const)))
      for (const { id, after } of made.actions) {
        for (const other of after) assert.ok((stageOf.get(other) ?? 0) < (stageOf.get(id) ?? 0))
      }
      assert.is(showPlan(made).split('\n').length, made.actions.length + stagesOf(made).length + 1)
    }),
  )
})

test('plan: its JSON reads back as the same plan', () => {
  fc.assert(
    fc.property(goodPlan, (made) => {
      assert.equal(PlanJson.decode(JSON.parse(printJson(toPlanJson(made)))), E.right(toPlanJson(made)))
    }),
  )
})

const inOrder = (objects: ReadonlyArray<KubeObject>): ReadonlyArray<string> =>
  objects
    .filter(({ kind }) => kind !== 'Ingress')
    .map((object) => printYaml(object))
    .toSorted()

test('k8s: the order of services affects only the order of objects', () => {
  fc.assert(
    fc.property(arbitraryTarget, arbitraryModel, (target, model) => {
      const turned = { ...model, services: model.services.toReversed() }
      assert.equal(inOrder(objectsIn(planOf(turned, target))), inOrder(objectsIn(planOf(model, target))))
    }),
  )
})

/** As the kubelet expands commands and variables, with nothing to be found. */
const expand = (text: string): string =>
  text.replace(/\$(\$|\([^)]*\))/g, (all, rest) => (rest === '$' ? '$' : `<${all}>`))

test('k8s: Kubernetes expands an escaped text to the original', () => {
  const dollars = fc.oneof(fc.string(), fc.stringMatching(/^[$()A]{0,12}$/))
  fc.assert(fc.property(dollars, (text) => assert.is(expand(escapeExpansion(text)), text)))
})

test.run()
