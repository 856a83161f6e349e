/** Laws of the whole translation, on generated projects and on damaged real ones. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Value } from '../../src/domain/print/value.ts'
import { printYaml } from '../../src/domain/print/yaml.ts'
import { dnsLabel } from '../../src/domain/text/dns-name.ts'
import { filesOf, type Project, project, writing } from '../support/arbitrary/compose.ts'
import { mutate, poisoned } from '../support/arbitrary/mutate.ts'
import { isMapping, type Mapping, oneFile, shuffled } from '../support/arbitrary/notation.ts'
import { random } from '../support/arbitrary/random.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { corpus, textOfFile } from '../support/compose/corpus.ts'
import { faults } from '../support/compose/oracle.ts'
import { type Files, manifestsOf, objectsOf, translateFiles } from '../support/compose/project.ts'

const codesOf = (files: Files): ReadonlyArray<string> =>
  translateFiles(files)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)

const seed = fc.integer({ min: 1, max: 2 ** 31 - 1 })
/** A damaged file is named by its project and the seed of the damage. */
const damaged = fc.tuple(fc.constantFrom(...corpus.map(({ name }) => name)), seed)
const damage = ([name, at]: readonly [string, number]): Files => {
  const real = corpus.find((one) => one.name === name)
  return real === undefined ? {} : { ...real.files, [real.main]: mutate(random(at), textOfFile(real.files[real.main])) }
}

const plainly = ({ files }: Project, document: Mapping): Files => ({ ...files, 'compose.yaml': oneFile(document, 0) })

const namesIn = ({ document }: Project): ReadonlyArray<string> => {
  const services = document.get('services')
  return services !== undefined && isMapping(services) ? [...services.keys()] : []
}

test('services deployed alone have the same objects as in the whole project', () => {
  fc.assert(
    fc.property(project, fc.nat(), fc.nat(), (made, ...picks) => {
      const files = plainly(made, made.document)
      const settings = { profiles: ['*'] }
      const whole = new Map(translateFiles(files, { settings }).plan?.actions.map((action) => [action.id, action]))
      const names = namesIn(made)
      const services = [...new Set(picks.map((pick) => names[pick % names.length] ?? ''))]
      const actions = translateFiles(files, { settings, services }).plan?.actions ?? []
      const ids = new Set(actions.map(({ id }) => id))
      for (const action of actions) {
        assert.equal(action, whole.get(action.id), action.id)
        for (const id of action.after) assert.ok(ids.has(id), id)
      }
      for (const name of services) assert.ok(ids.has(`apply/Service/${dnsLabel(name)}`), name)
    }),
    runs(100),
  )
})

test('a valid project translates without an error, however it is written', () => {
  fc.assert(
    fc.property(project, writing, (made, how) => {
      const files = filesOf(made, how)
      assert.equal(codesOf(files), [])
      assert.equal(faults(files, translateFiles(files)), [])
    }),
    runs(100),
  )
})

test('real projects translate without an error', () => {
  for (const { name, files } of corpus) {
    const translation = translateFiles(files)
    assert.equal(faults(files, translation), [], name)
    assert.ok(translation.plan, name)
  }
})

test('a damaged real project gives a valid plan or errors with places', () => {
  fc.assert(
    fc.property(damaged, (which) => {
      const files = damage(which)
      assert.equal(faults(files, translateFiles(files)), [])
    }),
    runs(150),
  )
})

/** One value, or one key, of a service or of the rest is something that nobody would write. */
const poison = (document: Mapping, at: number): Mapping => {
  const rng = random(at)
  const services = document.get('services')
  if (!isMapping(services) || rng.chance(0.25)) {
    const result = poisoned(rng, document)
    return isMapping(result) ? result : document
  }
  const name = rng.pick([...services.keys()])
  const changed = new Map([...services].map(([key, one]) => [key, key === name ? poisoned(rng, one) : one]))
  return new Map([...document, ['services', changed]])
}

test('a project with one invalid value gives a valid plan or errors with places', () => {
  fc.assert(
    fc.property(project, seed, (made, at) => {
      const files = plainly(made, poison(made.document, at))
      assert.equal(faults(files, translateFiles(files)), [])
    }),
    runs(150),
  )
})

test('the same input gives the same bytes', () => {
  const same = (files: Files): void => {
    const [first, second] = [translateFiles(files), translateFiles(files)]
    assert.equal(first.findings, second.findings)
    assert.is(manifestsOf(first), manifestsOf(second))
  }
  fc.assert(fc.property(damaged, (which) => same(damage(which))))
  fc.assert(fc.property(project, writing, (made, how) => same(filesOf(made, how))))
})

test('the order of the keys of a service does not matter', () => {
  fc.assert(
    fc.property(project, seed, (made, at) => {
      const [before, after] = [made.document, shuffled(made.document, at)].map((d) => translateFiles(plainly(made, d)))
      assert.ok(before?.plan && after?.plan)
      assert.is(manifestsOf(after), manifestsOf(before))
    }),
    runs(150),
  )
})

test('merge keys, extends, override files and notations give the same objects', () => {
  fc.assert(
    fc.property(project, seed, (made, at) => {
      const whole = translateFiles(plainly(made, made.document))
      const apart = translateFiles(filesOf(made, { seed: at, isSplit: true }))
      assert.ok(whole.plan && apart.plan)
      assert.is(manifestsOf(apart), manifestsOf(whole))
    }),
    runs(150),
  )
})

const servicesOf = (document: Mapping): Mapping => {
  const services = document.get('services')
  return isMapping(services) ? services : new Map()
}

/** A service of the project and one of its fields. */
const withField = fc.tuple(project, fc.nat(), fc.nat()).map(([made, a, b]) => {
  const services = [...servicesOf(made.document)]
  const [name, one] = services[a % services.length] ?? ['', new Map<string, Value>()]
  const fields = isMapping(one) ? [...one.keys()] : []
  return { made, name, field: fields[b % fields.length] ?? 'image' }
})

const changed = (document: Mapping, name: string, change: (service: Mapping) => Mapping): Mapping => {
  const services = [...servicesOf(document)].map(([key, one]): readonly [string, Value] => [
    key,
    key === name && isMapping(one) ? change(one) : one,
  ])
  return new Map([...document, ['services', new Map(services)]])
}

/** Manifests, or else the codes of what is wrong. */
const outcome = (files: Files): string => {
  const translation = translateFiles(files)
  return translation.plan === undefined ? codesOf(files).toSorted().join() : manifestsOf(translation)
}

const overriding = (name: string, field: string, tag: string, value: Value): string => {
  const lines = printYaml(new Map([[field, value]])).trimEnd()
  const at = lines.indexOf(`${printYaml(field).trimEnd()}:`) + printYaml(field).trimEnd().length + 1
  const tagged = `${lines.slice(0, at)} ${tag}${lines.slice(at)}`
  return `services:\n  ${printYaml(name).trimEnd()}:\n    ${tagged.replaceAll('\n', '\n    ')}\n`
}

test('!reset in an override file removes the field', () => {
  fc.assert(
    fc.property(withField, ({ made, name, field }) => {
      const reset = {
        ...plainly(made, made.document),
        'compose.override.yaml': overriding(name, field, '!reset', null),
      }
      const without = changed(made.document, name, (one) => new Map([...one].filter(([key]) => key !== field)))
      assert.is(outcome(reset), outcome(plainly(made, without)))
    }),
    runs(100),
  )
})

test('!override in an override file replaces the whole field', () => {
  fc.assert(
    fc.property(withField, project, ({ made, name, field }, other) => {
      const donor = [...servicesOf(other.document).values()].find((one) => isMapping(one) && one.has(field))
      const value = isMapping(donor) ? donor.get(field) : undefined
      fc.pre(value !== undefined && value !== null && field !== 'depends_on')
      const over = {
        ...plainly(made, made.document),
        'compose.override.yaml': overriding(name, field, '!override', value ?? ''),
      }
      const replaced = changed(made.document, name, (one) => new Map([...one, [field, value ?? '']]))
      assert.is(outcome(over), outcome(plainly(made, replaced)))
    }),
    runs(100),
  )
})

const dollars = fc
  .array(fc.constantFrom('$', '$$', '${V}', '$V', '${W:-x}', '${', '}', '$(V)', '{{', 'a', "'", '\n', '\\', '"'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''))

test('the value of a variable is never expanded again', () => {
  const service = (key: string, more: string): string =>
    `services:\n  ${key}:\n    image: nginx\n    labels: {note: "\${V}", other: "\${U:-\${V}}", third: "\${V:+\${W}}"}\n${more}`
  const files: Files = {
    'compose.yaml': `include: [sub/inner.yaml]\nx-a: &a {labels: {merged: "\${W}"}}\n${service('web', '    extends: {file: base.yaml, service: base}\n')}`,
    'base.yaml': service('base', '    annotations: ["from=${V}", "env=$W"]\n'),
    'sub/inner.yaml': service('inner', ''),
    'compose.override.yaml': 'services: {web: {labels: {over: "$V"}}, inner: {labels: ["over=${V}"]}}\n',
  }
  fc.assert(
    fc.property(dollars, dollars, (v, w) => {
      const translation = translateFiles(files, {
        shell: new Map([
          ['V', v],
          ['W', w],
        ]),
      })
      const annotations = (name: string) =>
        objectsOf(translation).find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.metadata
          .annotations
      const third = v === '' ? '' : w
      const own = { note: v, other: v, third, over: v }
      const pick = (name: string, keys: ReadonlyArray<string>) =>
        Object.fromEntries(keys.map((key) => [key, annotations(name)?.get(key)]))
      assert.equal(pick('inner', Object.keys(own)), own)
      assert.equal(pick('web', [...Object.keys(own), 'from', 'env']), { ...own, from: v, env: w })
    }),
    runs(100),
  )
})

test.run()
