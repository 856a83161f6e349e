/** The manifests of a plan as text. Values of Secrets are left out unless they are asked for. */
import type { KubeObject } from '../k8s/types.ts'
import { printYamlStream } from '../print/yaml.ts'
import { type Action, partition } from './action.ts'
import type { Plan } from './plan.ts'

type Apply = Action<'Apply'>

/** What is printed in place of an object that is left out, including its newline. */
const omission = ({ metadata: { name } }: KubeObject): string =>
  `# Secret ${name} is left out; --show-secrets prints it\n`

/** A document, or the comment in its place. `text` does not include `---`. */
export type ManifestText = { readonly text: string; readonly apply?: Apply }

export const isLeftOut = ({ kind }: KubeObject, showSecrets: boolean): boolean => kind === 'Secret' && !showSecrets

/** The stream in parts; joined, they equal what {@link printManifests} prints. */
export const printParts = (
  applies: ReadonlyArray<Apply>,
  showSecrets: boolean,
  print: (object: KubeObject) => string,
): ReadonlyArray<ManifestText> => {
  const parts: Array<ManifestText> = []
  let isBegun = false
  let comment = ''
  for (const apply of applies) {
    if (isLeftOut(apply.object, showSecrets)) comment += omission(apply.object)
    else {
      const lead = `${isBegun ? '---\n' : ''}${comment}`
      if (lead !== '') parts.push({ text: lead })
      parts.push({ text: print(apply.object), apply })
      isBegun = true
      comment = ''
    }
  }
  if (comment !== '') parts.push({ text: comment })
  return parts
}

/** Objects printed at a time, so the text of a large plan is never in memory as a whole. */
const BATCH = 200

/** YAML documents, in pieces. */
export function* manifestPieces(plan: Plan, showSecrets: boolean): Generator<string, void, void> {
  let [prefix, comment, isBegun] = ['', '', false]
  let batch: Array<KubeObject> = []
  for (const apply of partition(plan.actions).Apply) {
    if (isLeftOut(apply.object, showSecrets)) {
      comment += omission(apply.object)
      continue
    }
    if (batch.length === BATCH || (batch.length > 0 && comment !== '')) {
      yield prefix + printYamlStream(batch)
      batch = []
    }
    if (batch.length === 0) [prefix, comment] = [`${isBegun ? '---\n' : ''}${comment}`, '']
    isBegun = true
    batch.push(apply.object)
  }
  if (batch.length > 0) yield prefix + printYamlStream(batch)
  if (comment !== '') yield comment
}

export const printManifests = (plan: Plan, showSecrets: boolean): string =>
  [...manifestPieces(plan, showSecrets)].join('')
