/** The port `Pods` over subresources of the API. */
import type { Pods } from '../../../ports/pods.ts'
import { dialing } from './dial.ts'
import { executing } from './exec.ts'
import type { PodApi } from './open.ts'

export const podsOf = (api: PodApi): Pods => ({ dial: dialing(api), exec: executing(api) })
