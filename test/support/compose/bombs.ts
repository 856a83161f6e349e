/** Expensive input, and measurements of it. */
import * as assert from 'uvu/assert'
import type { ProjectOptions } from '../../../src/app/project/choose.ts'
import type { Translation } from '../../../src/app/project/translation.ts'
import { type Files, manifestsOf, translateFiles } from './project.ts'

const boundMs = 1_000

export const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

export const codesOf = ({ findings }: Translation): ReadonlyArray<string> => [
  ...new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)),
]

/** Within the limits, and small enough to print. */
export const run = (files: Files, wanted: Partial<ProjectOptions> = {}): Translation => {
  const start = process.cpuUsage()
  const translation = translateFiles(files, wanted)
  const size = JSON.stringify(translation.findings).length + manifestsOf(translation).length
  // Processor time, which does not depend on what else the machine does.
  const { system, user } = process.cpuUsage(start)
  const ms = (system + user) / 1000
  assert.ok(ms < 10 * boundMs, `${Math.round(ms)} ms`)
  assert.ok(size < 64 * 1024 * 1024, `${size} characters`)
  return translation
}

export const service = 'services:\n  web:\n    image: nginx\n'

/** By title: the files, and the one code with which they are rejected. */
export type Bomb = readonly [title: string, code: string, files: () => Files]
