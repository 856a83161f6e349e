/**
 * Pods are recreated when a Secret they read has changed. The annotation `dev.devtool/config` records the Secret's
 * version in the cluster, because a hash of its content would let a weak secret be guessed.
 */
import { CONFIG_ANNOTATION } from '../k8s/labels.ts'
import type { KubeObject, PodTemplate, Workload } from '../k8s/types.ts'
import { sha256 } from '../text/sha256.ts'
import { secretsOf } from './jobs.ts'

/** resourceVersion by name of the Secret. */
export type Versions = ReadonlyMap<string, string>

/** The annotation's value for the present versions; `undefined` when the pods read neither configs nor Secrets. */
export const configOf = (template: PodTemplate, versions: Versions): string | undefined => {
  const own = template.metadata.annotations?.get(CONFIG_ANNOTATION)
  const secrets = [...new Set(secretsOf(template))].toSorted()
  if (secrets.length === 0) return own
  return sha256([own ?? '', ...secrets.map((name) => `${name} ${versions.get(name) ?? ''}`)].join('\n'))
}

const annotated = (template: PodTemplate, config: string): PodTemplate => ({
  ...template,
  metadata: {
    ...template.metadata,
    annotations: new Map([...(template.metadata.annotations ?? []), [CONFIG_ANNOTATION, config]]),
  },
})

const withTemplate = (workload: Workload, template: PodTemplate): Workload => {
  switch (workload.kind) {
    case 'Deployment':
      return { ...workload, spec: { ...workload.spec, template } }
    case 'StatefulSet':
      return { ...workload, spec: { ...workload.spec, template } }
    case 'DaemonSet':
      return { ...workload, spec: { ...workload.spec, template } }
    case 'Job':
      return { ...workload, spec: { ...workload.spec, template } }
  }
}

export const isWorkload = (object: KubeObject): object is Workload =>
  object.kind === 'Deployment' || object.kind === 'StatefulSet' || object.kind === 'DaemonSet' || object.kind === 'Job'

/** The object as it is applied. Only workloads are changed. */
export const withVersions = (object: KubeObject, versions: Versions): KubeObject => {
  if (!isWorkload(object)) return object
  const { template } = object.spec
  const config = configOf(template, versions)
  return config === undefined || config === template.metadata.annotations?.get(CONFIG_ANNOTATION)
    ? object
    : withTemplate(object, annotated(template, config))
}
