/** The manifest that `init` writes: short, with comments where users will want to change something. */
import type { Value } from '../print/value.ts'
import { printYaml } from '../print/yaml.ts'
import type { Built, DeployMethod } from './guess.ts'
import { type Language, languageOf } from './languages.ts'

/** `built`: images that get a `dev` section. */
export type ManifestDraft = {
  readonly name: string
  readonly way: DeployMethod
  readonly built: ReadonlyArray<Built>
  readonly hasDev: boolean
}

const commented = (lines: ReadonlyArray<string>): string => lines.map((line) => `# ${line}`.trimEnd()).join('\n')

const section = (comment: ReadonlyArray<string>, value: { readonly [key: string]: Value }): string =>
  `${commented(comment)}\n${printYaml(value).trimEnd()}`

const deployOf = (way: DeployMethod): string => {
  switch (way._tag) {
    case 'Compose':
      return section(['What is deployed: the services of the Compose file, which also says how images are built.'], {
        deploy: { compose: way.file },
      })
    case 'Chart':
      return section(['What is deployed. Commands run one after the other in this folder.'], {
        deploy: [{ name: 'helm', command: `helm upgrade --install "$DEVTOOL_NAME" ${way.folder}` }],
      })
    case 'Manifests':
      return section(['What is deployed. Commands run one after the other in this folder.'], {
        deploy: [{ name: 'kubectl', command: `kubectl apply ${way.isKustomization ? '-k' : '-f'} ${way.folder}` }],
      })
    case 'Images':
    case 'Nothing':
    case 'DevOnly':
      return ''
  }
}

/** Ports that an image exposes stay inside the cluster until `ports` makes them public. */
const serviceOf = ({ context, dockerfile, ports }: Built): Value => ({
  build: dockerfile === undefined ? context : { context, dockerfile },
  ...(ports.length === 0 ? {} : { ports: ports.map((port) => `${port}:${port}`) }),
})

const servicesOf = ({ built, name, way }: ManifestDraft): string => {
  if (way._tag === 'Nothing') {
    return section(['Nothing to deploy was found here; start with this example.'], {
      services: { [name]: { image: 'nginx:alpine', ports: ['80:80'] } },
    })
  }
  if (way._tag !== 'Images') return ''
  return section(
    ['What is deployed, as in a Compose file. A port with two numbers is public, one with a single number private.'],
    { services: new Map(built.map((one) => [one.name, serviceOf(one)])) },
  )
}

/** Local ports below 1024 require privileges, and no port is forwarded twice. */
const forwardsOf = (ports: ReadonlyArray<number>, debug: number | undefined): ReadonlyArray<string> => {
  const taken = new Set<number>()
  return [...new Set([...ports, ...(debug === undefined ? [] : [debug])])].map((port) => {
    let local = port < 1024 ? port + 8000 : port
    while (taken.has(local)) local += 1
    taken.add(local)
    return `${local}:${port}`
  })
}

const WORKDIR = '/usr/src/app'

const devOf = ({ context, language, ports }: Built & { readonly language: Language }): Value => {
  const forwards = forwardsOf(ports, language.debug)
  return {
    image: language.image,
    command: 'bash',
    workdir: WORKDIR,
    sync: [`${context}:${WORKDIR}`],
    ...(language.caches.length === 0 ? {} : { volumes: language.caches }),
    ...(forwards.length === 0 ? {} : { forward: forwards }),
  }
}

const hasLanguage = (built: Built): built is Built & { readonly language: Language } => built.language !== undefined

const howToStart = ({ name, prepare, start }: Built): ReadonlyArray<string> => {
  if (start === undefined) return prepare === undefined ? [] : [`Prepare ${name} there with: ${prepare}`]
  return [`Start ${name} there with: ${prepare === undefined ? start : `${prepare}, then ${start}`}`]
}

const devSection = ({ built, hasDev }: ManifestDraft): string => {
  const known = built.filter(hasLanguage)
  const about = [
    'Development containers: one takes the place of a service, with your files in it.',
    ...known.flatMap(howToStart),
  ]
  if (hasDev && known.length > 0) {
    return section(about, { dev: new Map(known.map((one) => [one.name, devOf(one)])) })
  }
  const language = languageOf(['package.json'])
  const value =
    language === undefined ? {} : { dev: { api: devOf({ name: 'api', context: '.', ports: [8080], language }) } }
  return commented([...about.slice(0, 1), 'For example:', ...printYaml(value).trimEnd().split('\n')])
}

/** Ends with a line break. */
export const showManifest = (manifest: ManifestDraft): string => {
  const parts = [
    commented([
      'What devtool deploys from this folder: `devtool validate` checks it, `devtool deploy` deploys it.',
      '`devtool schema manifest` prints its JSON Schema, for editors.',
    ]),
    section(['The name of the environment; --name gives it another one.'], { name: manifest.name }),
    deployOf(manifest.way),
    servicesOf(manifest),
    devSection(manifest),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
