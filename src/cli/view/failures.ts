import { visible } from '../../domain/text/visible.ts'

/** As the pages show it. */
export const shownStatus = ({ isAsleep, status }: { readonly status: string; readonly isAsleep?: boolean }): string =>
  status === 'Active' && isAsleep === true ? 'Asleep' : status

/** Why namespaces or previews are still there. */
export const showFailures = (
  all: ReadonlyArray<{ readonly name: string; readonly failure?: { readonly reason: string } }>,
): ReadonlyArray<string> =>
  all.flatMap(({ failure, name }) =>
    failure === undefined ? [] : [`${name} was not deleted: ${visible(failure.reason)}`],
  )
