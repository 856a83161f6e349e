/** Changes single fields of an object that is there, and only of the one that was seen. */
import * as E from 'fp-ts/lib/Either.js'
import type { Live } from '../../domain/cluster/live.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { Bound } from '../../domain/plan/action.ts'
import { needsLook, patchBody, patchFindings } from '../../domain/plan/patch.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import type { Written } from '../../ports/cluster.ts'
import type { Writing } from './apply.ts'

type Patched = { readonly live: Live; readonly findings: ReadonlyArray<Diagnostic> }

const unwarned = (object: Live): Pick<Written, 'object' | 'warnings'> => ({ object, warnings: [] })

/** DT3102 fields of another manager, DT3103 another object or version by now, DT3132 warnings, else what the server says. */
export const patchObject = async (
  { cluster, isDryRun, namespace, signal }: Writing,
  action: Bound<'Patch'>,
): Promise<E.Either<ReadonlyArray<Diagnostic>, Patched>> => {
  const { fields, manager, target } = action
  const key = { ...target, namespace }
  const [body, options] = [patchBody(action), { manager, isDryRun, signal }]
  const sent =
    fields.strategy === 'merge'
      ? E.map(unwarned)(await cluster.merge(key, body, options)())
      : await cluster.apply(key, printJsonLine(body), { ...options, force: fields.force })()
  if (E.isRight(sent)) {
    const { object: live, warnings } = sent.right
    return E.right({ live, findings: warnings.map((text) => warning('DT3132', `${showKey(target)}: ${text}`)) })
  }
  const read = needsLook(sent.left) ? await cluster.get(key, signal)() : E.right(undefined)
  return E.left(patchFindings(action, sent.left, E.isRight(read) ? read.right : undefined))
}
