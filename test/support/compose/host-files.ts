/** Projects whose services mount files of this machine, translated with `--host-files`. */
import { openProject } from '../../../src/app/project/project.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { printYaml } from '../../../src/domain/print/yaml.ts'
import type { FileReader } from '../../../src/ports/files.ts'
import { type Entry, memoryFiles } from '../../memory/files.ts'
import { diskOf } from '../cli/cli.ts'

export type Disk = Readonly<Record<string, string | Entry>>

type HostFilesMode = 'config' | 'ignore' | 'unset'

export const translatedBy = async (files: FileReader, wish: HostFilesMode) => {
  const { findings, plan } = await openProject({ files })({
    cwd: '/home/me/shop',
    files: [],
    guess: 'shop',
    given: new Map(),
    shell: new Map(),
    separator: ':',
    services: [],
    settings: wish === 'unset' ? {} : { hostFiles: wish },
    isConfined: false,
    isStrict: false,
  }).translate()
  const objects = partition(plan?.actions ?? []).Apply.map(({ object }) => object)
  const named = (kind: string): string =>
    objects
      .filter((object) => object.kind === kind)
      .map((object) => printYaml(object))
      .join('---\n')
  const said = findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ code, help = '', message }) => `${code} ${message} / ${help}`)
  return { maps: named('ConfigMap'), pods: named('Deployment'), said }
}

export const translated = (files: Disk, wish: HostFilesMode = 'config') =>
  translatedBy(memoryFiles(diskOf(files)), wish)

export const mounting = (...volumes: ReadonlyArray<string>): string =>
  `services:\n  web:\n    image: nginx\n    volumes: ${JSON.stringify(volumes)}\n`
