/** A complete translation in memory, from files to findings and printed manifests. */

import type { ProjectOptions } from '../../../src/app/project/choose.ts'
import { translateGiven } from '../../../src/app/project/translate-given.ts'
import type { Translation } from '../../../src/app/project/translation.ts'
import type { FileContent } from '../../../src/domain/compose/file-content.ts'
import type { KubeObject } from '../../../src/domain/k8s/types.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { printYamlStream } from '../../../src/domain/print/yaml.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

const contents = (files: Files): ReadonlyMap<string, FileContent> =>
  new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      { _tag: 'File', bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content },
    ]),
  )

/** The folder is `/home/dev/shop`, so that the environment is `shop` unless it is named. */
export const translateFiles = (files: Files, wanted: Partial<ProjectOptions> = {}): Translation =>
  translateGiven(contents(files), {
    cwd: '/home/dev/shop',
    files: [],
    guess: 'shop',
    given: new Map(),
    shell: new Map(),
    separator: ':',
    services: [],
    settings: {},
    isConfined: false,
    isStrict: false,
    ...wanted,
  })

export const objectsOf = ({ plan }: Translation): ReadonlyArray<KubeObject> =>
  partition(plan?.actions ?? []).Apply.map(({ object }) => object)

export const manifestsOf = (translation: Translation): string => printYamlStream(objectsOf(translation))
