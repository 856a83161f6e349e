/** What `destroy` answers. */
import type { DestroyPreview } from '../../domain/destroy/show.ts'
import type { SearchResult } from './look.ts'
import type { Destruction } from './request.ts'

/** The objects and their outcome; `Marked`: marked for deletion without waiting. */
export type DestroyReport = DestroyPreview & {
  readonly state: 'Nothing' | 'Previewed' | 'Deleted' | 'Marked'
  readonly isAll: boolean
  /** Other namespaces with such an environment, when there is none here. */
  readonly elsewhere?: string
  /** The dependencies that were destroyed as well. */
  readonly along?: ReadonlyArray<DestroyReport>
}

export const reportOf = (
  { environment, options: { isAll }, target: { namespace } }: Destruction,
  { foreign, plan }: Pick<SearchResult, 'foreign' | 'plan'>,
  state: DestroyReport['state'],
): DestroyReport => ({ ...plan, foreign, environment, namespace, state, isAll })
