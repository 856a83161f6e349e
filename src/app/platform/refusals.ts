/** Answers that several use cases give. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { ManagedNamespace } from '../../domain/platform/access.ts'
import { scopeFault } from '../../domain/platform/preview.ts'
import type { Caller } from './world.ts'

export const incomplete = error('DT6009', 'the cluster answered without what the platform asked for')

/** The same message in all of these cases, so that nothing is revealed about tokens of others. */
export const revoked = error('DT6002', 'the token was revoked, or its user may not log in any more', {
  help: 'log in again with `devtool context use URL`',
})

/** Why the user may not deploy into the namespace, or destroy anything of it: the same on every route. */
export const foreignPreview = (
  { name, preview }: ManagedNamespace,
  { user: { isAdmin } }: Caller,
): Diagnostic | undefined => {
  const fault = scopeFault(preview?.scope, isAdmin)
  return fault === undefined ? undefined : error('DT6003', `preview ${name}: ${fault}`)
}

export const beingDeleted = ({ name }: ManagedNamespace): Diagnostic =>
  error('DT6006', `namespace ${name} is being deleted`)
