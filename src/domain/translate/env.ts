/**
 * Environment variables, commands and arguments. Kubernetes expands `$(NAME)` in them once more and reads `$$` as `$`; what
 * Compose has read is final, so a `$` that would begin either is doubled. Probes and hooks are not expanded.
 */
import type { ServiceVariable as Variable, Written } from '../compose/model.ts'
import type { EnvVar } from '../k8s/types.ts'
import { type Draft, from } from './draft.ts'

/** Law: what Kubernetes expands it to is `text`. */
export const escapeExpansion = (text: string): string =>
  text.includes('$') ? text.replace(/\$(?=[($])/g, () => '$$') : text

export const envOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<Draft<EnvVar>> =>
  variables.map(({ name, value, at }) => from(at, { name, value: escapeExpansion(value) }))

/** No words: the image's own are used. */
export const wordsOf = (words: Written<ReadonlyArray<string>> | undefined): Draft<ReadonlyArray<string>> | undefined =>
  words === undefined || words.value.length === 0 ? undefined : from(words.at, words.value.map(escapeExpansion))
