/** Files that Docker Compose accepts: each is translated alone, included and extended. */
import * as assert from 'uvu/assert'
import type { Translation } from '../../../src/app/project/translation.ts'
import { type Files, manifestsOf, objectsOf, translateFiles } from './project.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The value at a path in an object of a kind and name. */
export const at = (translation: Translation, ref: string, ...path: ReadonlyArray<string | number>): unknown => {
  let value: unknown = objectsOf(translation).find(({ kind, metadata }) => ref === `${kind}/${metadata.name}`)
  for (const key of path) value = isRecord(value) ? value[key] : undefined
  return value
}

export const pod = ['spec', 'template', 'spec'] as const
export const container = [...pod, 'containers', 0] as const

export type AcceptedCase = {
  readonly title: string
  readonly services: string
  readonly top?: string
  readonly files?: Files
  /** Codes of warnings, in order. */
  readonly warnings: ReadonlyArray<string>
  readonly check: (translation: Translation) => void
}

export const problems = ({ findings }: Translation): ReadonlyArray<string> =>
  findings.filter(({ severity }) => severity !== 'note').map(({ code, severity }) => `${severity} ${code}`)

const fileOf = ({ services, top = '' }: AcceptedCase): string => `services:\n  ${services}\n${top}\n`

/** The same services, each extending the service of its name in another file. */
const extending = ({ services, top = '' }: AcceptedCase): string => {
  const names = Array.from(services.matchAll(/^ *([a-z]+):/gm), ([, name = '']) => name)
  const extended = names.map((name) => `  ${name}: {extends: {file: inner.yaml, service: ${name}}}\n`)
  return `services:\n${extended.join('')}${top}\n`
}

/** Three tests per case, each with its own title: the file is translated with these warnings. */
export const accepting = (
  cases: ReadonlyArray<AcceptedCase>,
): ReadonlyArray<readonly [title: string, run: () => void]> =>
  cases.flatMap((one) => {
    const files: Files = { Dockerfile: 'FROM scratch\n', ...one.files }
    const warnings = one.warnings.map((code) => `warning ${code}`)
    const whole = translateFiles({ ...files, 'compose.yaml': fileOf(one) })
    const alone = () => {
      assert.equal(problems(whole), warnings)
      one.check(whole)
    }
    const included = () => {
      const made = translateFiles({ ...files, 'compose.yaml': 'include: [inner.yaml]\n', 'inner.yaml': fileOf(one) })
      assert.equal(problems(made), warnings)
      assert.is(manifestsOf(made), manifestsOf(whole))
    }
    const extended = () => {
      const made = translateFiles({ ...files, 'compose.yaml': extending(one), 'inner.yaml': fileOf(one) })
      assert.equal(problems(made).toSorted(), warnings.toSorted())
      assert.is(manifestsOf(made), manifestsOf(whole))
    }
    return [
      [one.title, alone],
      [`${one.title}, also in a file that is included`, included],
      [`${one.title}, also in a service that is extended`, extended],
    ]
  })
