/** When an object was last written, as the API server says: no machine's clock has a part in it. */
import { listAt, textAt } from './json.ts'
import type { ClusterObject } from './live.ts'

/** Not its status, and not through a subresource, as autoscalers do. */
export const lastChange = (live: ClusterObject): string =>
  [
    live.metadata.creationTimestamp ?? '',
    ...listAt(live, 'metadata', 'managedFields').flatMap((entry) =>
      textAt(entry, 'subresource') === undefined ? (textAt(entry, 'time') ?? '') : [],
    ),
  ].reduce((a, b) => (a < b ? b : a))
