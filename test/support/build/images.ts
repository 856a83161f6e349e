/** Images as described by files, and the other inputs of a build. */
import type { BuildFacts } from '../../../src/domain/build/args.ts'
import { noFlags } from '../../../src/domain/build/flags.ts'
import type { Image } from '../../../src/domain/build/image.ts'
import type { SolveFacts } from '../../../src/domain/build/solve-of.ts'
import { type Files, translateFiles } from '../compose/project.ts'

/** Those of the `build` section, then those of services; neither may have errors. */
export const imagesIn = (files: Files): ReadonlyArray<Image> => {
  const { findings, images } = translateFiles(files)
  const wrong = findings.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(wrong.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return images
}

/** The first image of a Compose file with one service, whose `build` is given as one line of YAML. */
export const imageOf = (build: string, more = ''): Image => {
  const [image] = imagesIn({ 'compose.yaml': `services:\n  web:\n    build: ${build}\n${more}` })
  if (image === undefined) throw new Error('there is no image')
  return image
}

type FactOptions = Partial<SolveFacts> & { readonly env?: Readonly<Record<string, string>> }

export const factsOf = ({ env = {}, ...more }: FactOptions = {}): SolveFacts & BuildFacts => ({
  images: [],
  built: new Map(),
  variables: (name) => env[name],
  flags: noFlags,
  cwd: '/home/dev/shop',
  dockerfile: { folder: '/home/dev/shop/web', file: 'Dockerfile' },
  names: ['registry.example.com/shop-web:dev'],
  output: 'Push',
  isDocker: false,
  ...more,
})
