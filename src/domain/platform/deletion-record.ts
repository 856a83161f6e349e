/** What the Namespace itself says about its deletion. */
import * as t from 'io-ts'
import { annotationOf, type ClusterObject } from '../cluster/live.ts'
import { DELETION_ANNOTATION } from '../k8s/labels.ts'
import { fromJson } from '../object/codecs.ts'
import { atLeast, keys } from '../print/document.ts'

export const NamespaceDeletion = atLeast(
  {
    since: [t.string, 'when it was asked for'],
    user: [t.string, 'who asked for it'],
    email: [t.string, 'e-mail address, or empty'],
    force: [t.boolean, 'whether the destroy commands are left out'],
  },
  { run: [t.string, 'the run that failed'], reason: [t.string, 'why it failed'] },
)
export type NamespaceDeletion = t.TypeOf<typeof NamespaceDeletion>

/** The deletion recorded in the annotations of a Namespace. */
export const deletionIn = (live: ClusterObject): NamespaceDeletion | undefined =>
  fromJson(NamespaceDeletion, annotationOf(live, DELETION_ANNOTATION) ?? '')

/** Why a namespace is `DeleteFailed`. Servers before this one do not say it. */
export const failed = {
  failure: [
    keys({ reason: [t.string, 'in words'] }, { run: [t.string, 'the run that failed, whose log says more'] }),
    'why it is still there, if it is DeleteFailed',
  ],
} as const

export const sleep = { isAsleep: [t.boolean, 'whether it sleeps; absent: no'] } as const
