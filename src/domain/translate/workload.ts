/** The workload of a service: Deployment, StatefulSet, DaemonSet or Job. */

import type { ComposeService, WorkloadKind } from '../compose/model.ts'
import { DEPENDS_ON_ANNOTATION, TEMPLATE_HASH_ANNOTATION } from '../k8s/labels.ts'
import type { DaemonSet, Deployment, Job, Metadata, PodTemplate, StatefulSet, Workload } from '../k8s/types.ts'
import { printJsonLine } from '../print/json.ts'
import { sha256 } from '../text/sha256.ts'
import { claimTemplates } from './claims.ts'
import { labelsOf, type TranslationContext } from './context.ts'
import { type Draft, type DraftStrings, from, fromWritten, listed } from './draft.ts'
import { annotationsOf, metadataOf } from './metadata.ts'
import { workloadName } from './names.ts'
import { podTemplateOf } from './pod.ts'
import { daemonSetStrategy, deploymentStrategy, statefulSetStrategy } from './update.ts'

/** The value that means "never give up" to Kubernetes. */
const FOREVER = 2_147_483_647

/** The dependencies by object name. */
const dependsOn = ({ services }: TranslationContext, { dependsOn: dependencies }: ComposeService) => {
  const entries = dependencies.map(
    ({ service, condition }) => [services.get(service)?.object ?? service, condition] as const,
  )
  const places = dependencies.map(({ at }) => at)
  return from(places, printJsonLine(new Map(entries)).trimEnd())
}

const metadata = (
  context: TranslationContext,
  service: ComposeService,
  more: DraftStrings = new Map(),
): Draft<Metadata> => {
  const annotations = new Map(annotationsOf(service.annotations, service.workloadAnnotations))
  if (service.dependsOn.length > 0) annotations.set(DEPENDS_ON_ANNOTATION, dependsOn(context, service))
  more.forEach((value, key) => annotations.set(key, value))
  return metadataOf(context, workloadName(service), labelsOf(context, service).own, annotations)
}

const selector = (context: TranslationContext, service: ComposeService) =>
  from(service.at, { matchLabels: labelsOf(context, service).selector })

const minReady = ({ updateConfig: { at, minReadySeconds } }: ComposeService) =>
  minReadySeconds === undefined ? undefined : from(at, minReadySeconds)

/** With all places that decide what kind of workload it is and how it runs. */
const decided = <K extends WorkloadKind['_tag']>({ decides = [], kind, updateConfig }: ComposeService, tag: K) =>
  from([kind.at, ...decides, ...(updateConfig.at === undefined ? [] : [updateConfig.at])], tag)

const deploymentOf = (context: TranslationContext, service: ComposeService): Draft<Deployment> =>
  from(service.at, {
    apiVersion: 'apps/v1',
    kind: decided(service, 'Deployment'),
    metadata: metadata(context, service),
    spec: {
      replicas: fromWritten(service.replicas),
      minReadySeconds: minReady(service),
      selector: selector(context, service),
      strategy: deploymentStrategy(service),
      template: podTemplateOf(context, service),
    },
  })

const statefulSetOf = (context: TranslationContext, service: ComposeService): Draft<StatefulSet> =>
  from(service.at, {
    apiVersion: 'apps/v1',
    kind: decided(service, 'StatefulSet'),
    metadata: metadata(context, service),
    spec: {
      replicas: fromWritten(service.replicas),
      minReadySeconds: minReady(service),
      serviceName: service.object,
      podManagementPolicy: 'Parallel',
      revisionHistoryLimit: 2,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      updateStrategy: statefulSetStrategy(service),
      selector: selector(context, service),
      template: podTemplateOf(context, service),
      volumeClaimTemplates: listed(claimTemplates(context, service)),
    },
  })

const daemonSetOf = (context: TranslationContext, service: ComposeService): Draft<DaemonSet> =>
  from(service.at, {
    apiVersion: 'apps/v1',
    kind: decided(service, 'DaemonSet'),
    metadata: metadata(context, service),
    spec: {
      minReadySeconds: minReady(service),
      selector: selector(context, service),
      updateStrategy: daemonSetStrategy(service),
      template: podTemplateOf(context, service),
    },
  })

/**
 * Shows later whether the Job has to run again: a hash of the template we render, not of what the API server makes of
 * it.
 */
const templateHash = ({ settle }: TranslationContext, template: Draft<PodTemplate>): DraftStrings =>
  new Map([[TEMPLATE_HASH_ANNOTATION, sha256(printJsonLine(settle<PodTemplate>(template).object))]])

/**
 * A Job's pods are found by the selector that Kubernetes generates. A finished Job is kept, so later deploys see it.
 */
const jobOf = (
  context: TranslationContext,
  service: ComposeService,
  kind: Extract<WorkloadKind, { readonly _tag: 'Job' }>,
): Draft<Job> => {
  const template = podTemplateOf(context, service)
  return from(service.at, {
    apiVersion: 'batch/v1',
    kind: decided(service, 'Job'),
    metadata: metadata(context, service, templateHash(context, template)),
    spec: {
      backoffLimit: from(kind.at, kind.attempts ?? FOREVER),
      completions: fromWritten(service.replicas),
      parallelism: fromWritten(service.replicas),
      template,
    },
  })
}

export const workloadOf = (context: TranslationContext, service: ComposeService): Draft<Workload> => {
  switch (service.kind._tag) {
    case 'Deployment':
      return deploymentOf(context, service)
    case 'StatefulSet':
      return statefulSetOf(context, service)
    case 'DaemonSet':
      return daemonSetOf(context, service)
    case 'Job':
      return jobOf(context, service, service.kind)
  }
}
