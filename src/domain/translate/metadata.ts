/** `metadata`, and the annotations in it. */
import type { Annotation } from '../compose/annotation.ts'
import type { Metadata, Strings } from '../k8s/types.ts'
import type { TranslationContext } from './context.ts'
import { type Draft, type DraftStrings, from, mapped } from './draft.ts'

/** When a name occurs more than once, the last entry wins. */
export const annotationsOf = (...lists: ReadonlyArray<ReadonlyArray<Annotation>>): DraftStrings => {
  const entries = new Map<string, Draft<string>>()
  lists.forEach((list) => list.forEach(({ name, value, at }) => entries.set(name, from(at, value))))
  return entries
}

export const metadataOf = (
  { target: { namespace } }: TranslationContext,
  name: string,
  labels: Strings,
  annotations?: DraftStrings,
): Draft<Metadata> => ({
  name,
  namespace,
  labels,
  annotations: annotations === undefined ? undefined : mapped(annotations),
})
