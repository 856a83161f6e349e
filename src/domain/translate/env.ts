/**
 * Environment variables, commands and arguments. Kubernetes expands `$(NAME)` and reads `$$` as `$`, but Compose has
 * already interpolated these texts: so a `$` that would start either is doubled. Kubernetes does not expand probes and
 * hooks.
 */
import type { ServiceVariable as Variable, Written } from '../compose/model.ts'
import type { EnvVar } from '../k8s/types.ts'
import { type Draft, from, fromWritten } from './draft.ts'

/** Law: Kubernetes expands the result to `text`. */
export const escapeExpansion = (text: string): string =>
  text.includes('$') ? text.replace(/\$(?=[($])/g, () => '$$') : text

export const envOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<Draft<EnvVar>> =>
  variables.map(({ name, value, at }) => from(at, { name, value: escapeExpansion(value) }))

/** `undefined` when there are no words, so the image's own are used. */
export const wordsOf = (words: Written<ReadonlyArray<string>> | undefined): Draft<ReadonlyArray<string>> | undefined =>
  words === undefined || words.value.length === 0
    ? undefined
    : fromWritten({ ...words, value: words.value.map(escapeExpansion) })
