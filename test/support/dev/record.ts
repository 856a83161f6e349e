import type { DevRecord } from '../../../src/domain/dev/record.ts'
import { ann } from './request.ts'

/** The Deployment `api`, developed by ann, whose session was last alive ten seconds before `nowMs`. */
export const apiRecord: DevRecord = {
  schema: 1,
  dev: 'api',
  main: 'devtool-up-deployment-api',
  mirror: 'devtool-up-deployment-api',
  container: 'app',
  port: 2222,
  workload: { kind: 'Deployment', name: 'api', uid: 'u' },
  touched: [],
  holder: ann,
  since: '2026-11-21T09:00:00Z',
  isCreated: false,
  isFilling: false,
  beat: '2026-11-21T09:59:50Z',
}
