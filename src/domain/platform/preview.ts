/** A preview: a namespace of its own that one pipeline deploys into, for as long as somebody needs it. */
import type * as t from 'io-ts'
import type { JsonObject } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import {
  BRANCH_ANNOTATION,
  EXPIRES_ANNOTATION,
  PIPELINE_ANNOTATION,
  REPOSITORY_ANNOTATION,
  SCOPE_LABEL,
  SOURCE_URL_ANNOTATION,
} from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { oneOf } from '../print/document.ts'
import type { NamespaceRole } from './role.ts'

/** Personal: only its owner has access. Global: all users may look at it; administrators create and delete it. */
export const PreviewScope = oneOf('personal', 'global')
export type PreviewScope = t.TypeOf<typeof PreviewScope>

export const previewScopes = ['personal', 'global'] as const satisfies ReadonlyArray<PreviewScope>

/** `expires`: when it is deleted automatically; absent: never. */
export type PreviewFacts = {
  readonly scope: PreviewScope
  readonly pipeline: string
  readonly repository: string
  readonly branch?: string
  readonly sourceUrl?: string
  readonly expires?: string
}

export const previewIn = (namespace: ClusterObject): PreviewFacts => ({
  scope: labelOf(namespace, SCOPE_LABEL) === 'global' ? 'global' : 'personal',
  pipeline: annotationOf(namespace, PIPELINE_ANNOTATION) ?? '',
  repository: annotationOf(namespace, REPOSITORY_ANNOTATION) ?? '',
  ...defined({
    branch: annotationOf(namespace, BRANCH_ANNOTATION),
    sourceUrl: annotationOf(namespace, SOURCE_URL_ANNOTATION),
    expires: annotationOf(namespace, EXPIRES_ANNOTATION),
  }),
})

/** Law: `previewIn` reads what this writes. Annotations for absent facts are removed from an existing preview. */
export const previewMetadata = ({
  branch,
  expires,
  pipeline,
  repository,
  scope,
  sourceUrl,
}: PreviewFacts): JsonObject => ({
  labels: { [SCOPE_LABEL]: scope },
  annotations: {
    [PIPELINE_ANNOTATION]: pipeline,
    [REPOSITORY_ANNOTATION]: repository,
    [BRANCH_ANNOTATION]: branch ?? null,
    [SOURCE_URL_ANNOTATION]: sourceUrl ?? null,
    [EXPIRES_ANNOTATION]: expires ?? null,
  },
})

/** `role`: that of the user in the preview; absent when there is no preview yet. */
export type PreviewAsked = {
  readonly scope: PreviewScope
  readonly isAdmin: boolean
  readonly role: NamespaceRole | undefined
}

const onlyAdmins = 'only administrators of the platform deploy and destroy global previews'

/** Why the user may not deploy or destroy anything in a preview of this scope, whatever their role in it. */
export const scopeFault = (scope: PreviewScope | undefined, isAdmin: boolean): string | undefined =>
  scope === 'global' && !isAdmin ? onlyAdmins : undefined

/** Why the user may not deploy it, in words; `undefined` when they may. */
export const deployFault = ({ isAdmin, role, scope }: PreviewAsked): string | undefined => {
  if (scope === 'global') return scopeFault(scope, isAdmin)
  return role === 'viewer' ? 'this needs the role member in the preview, and yours is viewer' : undefined
}

export const destroyFault = ({ isAdmin, role, scope }: PreviewAsked): string | undefined => {
  if (scope === 'global') return scopeFault(scope, isAdmin)
  return role === 'owner' ? undefined : `this needs the role owner in the preview, and yours is ${role ?? 'none'}`
}
