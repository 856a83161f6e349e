/**
 * Pods of real and generated projects in a namespace that enforces Pod Security `restricted`. With the three lines that it
 * asks for, they are admitted unless their file asks for more than it allows; every refusal names what to change.
 */
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { podSecurityHelp } from '../../src/domain/cluster/pod-security.ts'
import { trialPod } from '../../src/domain/plan/trial-pod.ts'
import { project } from '../support/arbitrary/compose.ts'
import { oneFile } from '../support/arbitrary/notation.ts'
import { corpus, textOfFile } from '../support/compose/corpus.ts'
import { type Files, objectsOf, translateFiles } from '../support/compose/project.ts'
import { applyPrinted, closeManifests, type ManifestWorld, openManifests } from '../support/e2e/manifests.ts'
import { eachAtOnce } from '../support/kube/api-server.ts'

const test = suite<ManifestWorld>('restricted manifests')

test.before((world) => openManifests(world, { 'pod-security.kubernetes.io/enforce': 'restricted' }))
test.after(closeManifests)

type Sample = { readonly name: string; readonly files: Files; readonly main: string }

const real: ReadonlyArray<Sample> = corpus.map(({ files, main, name }) => ({ name, files, main }))

const seed = 20_250_101
const generated = fc.sample(project, { numRuns: 80, seed }).map(({ document, files }, index): Sample => {
  const main = 'compose.yaml'
  return { name: `generated ${index} (seed ${seed})`, files: { ...files, [main]: oneFile(document, 0) }, main }
})

type Answer = { readonly name: string; readonly refusal: string | undefined }

/** What the server says to one pod of each workload. */
const answersTo = async (
  world: ManifestWorld,
  samples: ReadonlyArray<Sample>,
  more: Files = {},
): Promise<ReadonlyArray<Answer>> => {
  const pods = samples.flatMap(({ files, main, name }) => {
    const translated = translateFiles({ ...files, ...more }, { files: [main, ...Object.keys(more)] })
    return objectsOf(translated).flatMap((object) => {
      const pod = trialPod(object)
      return pod === undefined ? [] : [{ name: `${name}: ${object.metadata.name}`, body: JSON.stringify(pod), pod }]
    })
  })
  return eachAtOnce(pods, async ({ body, name, pod }) => {
    const printed = { kind: 'Pod', name: String(Object(pod['metadata']).name), body }
    const answer = await applyPrinted(world, printed)
    return { name, refusal: answer.status < 300 ? undefined : String(JSON.parse(answer.body).message) }
  })
}

/** Only a pod of its own needs them to exist. */
const isAboutOthers = (refusal: string): boolean => /RuntimeClass ".*" not found/.test(refusal)

test('every refusal of a pod names what to change', async (world) => {
  const answers = await answersTo(world, [...real, ...generated])
  const refused = answers.flatMap(({ name, refusal }) =>
    refusal === undefined || isAboutOthers(refusal) ? [] : [{ name, refusal, help: podSecurityHelp(refusal) }],
  )
  assert.ok(refused.length > 200, String(refused.length))
  assert.equal(
    refused.filter(({ help }) => help === undefined),
    [],
  )
})

const lines = ['user: "1000"', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]']

/** The file that gives every service the lines. */
const withLines = ({ files, main }: Sample): Files => {
  const services: unknown = parse(textOfFile(files[main]), { merge: true, uniqueKeys: false })?.services
  const names = typeof services === 'object' && services !== null ? Object.keys(services) : []
  const texts = names.map((name) => `  ${JSON.stringify(name)}:\n${lines.map((line) => `    ${line}\n`).join('')}`)
  return names.length === 0 ? {} : { 'restricted.yaml': `services:\n${texts.join('')}` }
}

test('pods with these lines are admitted, unless their file has settings that the profile forbids', async (world) => {
  let admitted = 0
  const unexplained: Array<string> = []
  for (const sample of [...real, ...generated]) {
    for (const { name, refusal } of await answersTo(world, [sample], withLines(sample))) {
      if (refusal === undefined) admitted += 1
      else if (!isAboutOthers(refusal) && !/remove|pre_start/.test(podSecurityHelp(refusal) ?? ''))
        unexplained.push(`${name}: ${refusal}`)
    }
  }
  assert.ok(admitted > 150, String(admitted))
  assert.equal(unexplained, [])
})

test.run()
