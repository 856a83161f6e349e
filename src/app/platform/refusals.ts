/** Answers that several use cases give. */
import { error } from '../../domain/diagnostic/diagnostic.ts'

export const incomplete = error('DT6009', 'the cluster answered without what the platform asked for')

/** The same message in all of these cases, so that nothing is revealed about tokens of others. */
export const revoked = error('DT6002', 'the token was revoked, or its user may not log in any more', {
  help: 'log in again with `devtool context use URL`',
})
