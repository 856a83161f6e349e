/** Links over SSH as `up` makes them. */
import { sshLinks } from '../../../src/adapters/ssh/client.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'

export const realLinks = sshLinks(systemClock)
