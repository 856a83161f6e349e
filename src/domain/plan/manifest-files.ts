/** A plan as the files of a folder: one for each object, and a kustomization that names them. */
import type { KubeObject } from '../k8s/types.ts'
import { printYaml } from '../print/yaml.ts'
import { type Action, partition } from './action.ts'
import { isLeftOut } from './manifests.ts'
import type { Plan } from './plan.ts'

/** `isPrivate`: readable by this user only, and not part of the kustomization. */
export type ManifestFile = {
  readonly name: string
  readonly text: string
  readonly isPrivate: boolean
  readonly apply?: Action<'Apply'>
}

const KUSTOMIZATION = 'kustomization.yaml'

const fileName = ({ kind, metadata: { name } }: KubeObject): string => `${kind.toLowerCase()}-${name}.yaml`

/** Secrets are not listed in the kustomization, whether or not they are written: they do not belong in a repository. */
export const isSecretFile = (name: string): boolean => name.startsWith('secret-')

const kustomizationOf = (resources: ReadonlyArray<string>, secrets: ReadonlyArray<string>): string => {
  const comments = secrets.map((name) => `# Secret ${name} is left out\n`).join('')
  return `${comments}${printYaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources })}`
}

/** In the order of the plan. The kustomization comes last, after the files that it names. */
export const manifestFiles = (plan: Plan, showSecrets: boolean): ReadonlyArray<ManifestFile> => {
  const applies = partition(plan.actions).Apply
  const files = applies
    .filter(({ object }) => !isLeftOut(object, showSecrets))
    .map((apply): ManifestFile => {
      const { object } = apply
      return { name: fileName(object), text: printYaml(object), isPrivate: object.kind === 'Secret', apply }
    })
  const secrets = applies.filter(({ object }) => object.kind === 'Secret').map(({ object }) => object.metadata.name)
  const resources = files.filter(({ isPrivate }) => !isPrivate).map(({ name }) => name)
  return [...files, { name: KUSTOMIZATION, text: kustomizationOf(resources, secrets), isPrivate: false }]
}
