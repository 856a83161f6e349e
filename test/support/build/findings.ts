/** A builder's failures in a form for tests, and the messages that users get for them. */
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import { type BuildAbout, buildFindings, textsOf } from '../../../src/domain/build/findings.ts'
import { showDiagnostic } from '../../../src/domain/diagnostic/show.ts'

type Failed = Extract<BuildFailure, { readonly _tag: 'Failed' }>

/** `mark`: lines of the Dockerfile that the builder names. */
export type FindingCase = {
  readonly message: string
  readonly dockerfile?: string
  readonly mark?: readonly [number, number]
  readonly more?: Partial<Failed>
  readonly about?: Partial<BuildAbout>
}

export const base = 'FROM scratch AS builder\nCOPY busybox /bin/\nRUN npm ci\n'

export const failureOf = ({ dockerfile = base, mark, message, more = {} }: FindingCase): BuildFailure => ({
  _tag: 'Failed',
  ...{ message, code: 2 },
  sources:
    mark === undefined ? [] : [{ file: 'Dockerfile', text: dockerfile, ranges: [{ start: mark[0], end: mark[1] }] }],
  ...more,
})

export const aboutOf = ({ about, dockerfile = base }: FindingCase): BuildAbout => ({
  image: 'api',
  dockerfile: { file: 'api/Dockerfile', text: dockerfile },
  ...about,
})

/** The text shown to users. */
export const shown = (one: FindingCase): string => {
  const failure = failureOf(one)
  const about = aboutOf(one)
  const texts = textsOf(failure._tag === 'Failed' ? failure.sources : [], about.dockerfile)
  const line = (file: string, at: number): string | undefined => texts.get(file)?.split('\n')[at - 1]
  return buildFindings(failure, about)
    .map((found) => showDiagnostic(found, { color: false, line }))
    .join('\n')
}
