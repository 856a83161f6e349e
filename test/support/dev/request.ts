/** Requests for `up` in tests: the sections of a manifest, and the user. */

import type { Holder } from '../../../src/domain/dev/record.ts'
import type { UpRequest } from '../../../src/domain/dev/request.ts'
import type { DevContainer } from '../../../src/domain/manifest/dev-model.ts'
import { type Files, translateFiles } from '../compose/project.ts'

export const ann: Holder = { user: 'ann', machine: 'laptop', pid: 4242, session: 'ann-1' }
const now = '2026-11-21T10:00:00Z'
export const nowMs = Date.parse(now)

/** The first section of `devtool.yml`. */
export const devOf = (files: Files): DevContainer => {
  const { findings, manifest } = translateFiles(files)
  const [first] = manifest?.dev ?? []
  if (first === undefined) throw new Error(`no dev section: ${findings.map(({ message }) => message).join('\n')}`)
  return first
}

export const requestOf = (dev: DevContainer, more: Partial<UpRequest> = {}): UpRequest => ({
  dev,
  holder: ann,
  now,
  isRunning: false,
  takesOver: false,
  agent: { image: 'node:22-bookworm-slim', files: { 'agent.cjs.gz': 'YQ==' }, keys: { host_key: 'Yg==' } },
  environment: dev.environment.map(({ name, value = '' }) => ({ name, value })),
  secrets: [],
  consents: new Set(),
  ...more,
})
