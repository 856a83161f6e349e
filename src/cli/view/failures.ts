import { visible } from '../../domain/text/visible.ts'

/** Why namespaces or previews are still there. */
export const showFailures = (
  all: ReadonlyArray<{ readonly name: string; readonly failure?: { readonly reason: string } }>,
): ReadonlyArray<string> =>
  all.flatMap(({ failure, name }) =>
    failure === undefined ? [] : [`${name} was not deleted: ${visible(failure.reason)}`],
  )
