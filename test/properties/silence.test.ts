/**
 * Nothing is lost in silence: every scalar of a Compose file is behind a part of the plan or of an image that is to be
 * built, has a finding, or is in the table of values that mean nothing.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { project } from '../support/arbitrary/compose.ts'
import { oneFile } from '../support/arbitrary/notation.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { corpus, filesBelow, textOfFile } from '../support/compose/corpus.ts'
import { type Files, translateFiles } from '../support/compose/project.ts'
import { silences } from '../support/compose/silence.ts'

/** `undefined` when something is wrong with the files: then there is no plan. */
const silencesIn = (files: Files, main: string): ReadonlyArray<string> | undefined => {
  const translation = translateFiles(files, { files: [main], settings: { profiles: ['*'] } })
  return translation.plan === undefined ? undefined : silences(main, textOfFile(files[main]), translation)
}

for (const { files, main, name } of corpus) {
  test(`nothing in ${name} is silently lost`, () => {
    assert.equal(silencesIn(files, main), [])
  })
}

const folder = join(import.meta.dirname, '../golden/cases')

/** Of several documents in a file, and of files beside it, the later one replaces values of the one before. */
const isAlone = (files: Files): boolean =>
  !Object.keys(files).some((path) => /(?:override|devtool)\.ya?ml$/.test(path)) &&
  !/^---$/m.test(textOfFile(files['compose.yaml']))

for (const name of readdirSync(folder).toSorted()) {
  const files = filesBelow(join(folder, name))
  if (!('compose.yaml' in files) || !isAlone(files)) continue
  const lost = silencesIn(files, 'compose.yaml')
  if (lost === undefined) continue
  test(`nothing in the golden case ${name} is silently lost`, () => {
    assert.equal(lost, [])
  })
}

test('nothing in a generated project is silently lost, in any notation', () => {
  fc.assert(
    fc.property(project, fc.nat(), ({ document, files }, seed) => {
      const main = 'compose.yaml'
      assert.equal(silencesIn({ ...files, [main]: oneFile(document, seed) }, main), [])
    }),
    runs(100),
  )
})

/** Wherever Compose takes a list instead of a mapping, also with names that are given twice or have no value. */
const lists = `services:
  web:
    image: nginx
    build:
      context: .
      args: [A=1, B, C=]
      labels: [l=1, m]
      extra_hosts: ["h=192.0.2.1", "g:192.0.2.2"]
      additional_contexts: ["x=../x"]
    environment: [A=1, B, C=, A=2, "D=a=b"]
    labels: [a=b, c, "d=", a=c, "kompose.x=y", "no name=v"]
    annotations: [x=y, x=z, w]
    sysctls: [net.ipv4.ip_unprivileged_port_start=0, net.core.somaxconn=1]
    extra_hosts: ["a=192.0.2.1", "b:192.0.2.2", "a=192.0.2.3"]
    links: [db, "db:sql"]
    post_start: [{command: x, environment: [P=1, P=2, Q], privileged: false}]
    pre_start: [{command: x, image: y, environment: [P=1, P=2, Q]}]
    deploy: {labels: [e=f, e=g, h]}
    depends_on: [db]
  db: {image: postgres, deploy: , volumes: ["data:/data"]}
volumes: {data: {labels: [v=1, w, v=2]}}
`

test('nothing in a list of names with values is silently lost', () => {
  const files = { 'compose.yaml': lists, Dockerfile: 'FROM scratch\n' }
  assert.equal(silencesIn(files, 'compose.yaml'), [])
})

/** The places with several findings of one code. */
const repeated = (files: Files, main: string): ReadonlyArray<string> => {
  const { findings } = translateFiles(files, { files: [main], settings: { profiles: ['*'] } })
  const places = findings.flatMap(({ at, code }) =>
    at === undefined ? [] : [`${code} ${at.file}:${at.line}:${at.col}`],
  )
  return places.filter((place, index) => places.indexOf(place) !== index)
}

test('no code is reported twice at one place', () => {
  for (const { files, main, name } of corpus) assert.equal(repeated(files, main), [], name)
  for (const name of readdirSync(folder).toSorted()) {
    const files = filesBelow(join(folder, name))
    const main = ['compose.yaml', 'devtool.yml'].find((path) => path in files)
    if (main !== undefined) assert.equal(repeated(files, main), [], name)
  }
  fc.assert(
    fc.property(project, fc.nat(), ({ document, files }, seed) => {
      assert.equal(repeated({ ...files, 'compose.yaml': oneFile(document, seed) }, 'compose.yaml'), [])
    }),
    runs(100),
  )
})

test('a value that is not mapped is reported', () => {
  const files = { 'compose.yaml': 'services:\n  web:\n    image: a\n' }
  const translation = translateFiles(files)
  const more = `${files['compose.yaml']}    working_dir: /lost\n`
  assert.equal(silences('compose.yaml', more, translation), ['services.*.working_dir: /lost (compose.yaml:4)'])
})

test.run()
