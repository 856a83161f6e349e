/** The built agent of development containers. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** Its files for a ConfigMap: base64 by name. */
export type AgentFiles = { readonly read: TaskEither<Diagnostic, Readonly<Record<string, string>>> }
