import type { DirectBuild } from '../../app/build/direct.ts'
import { readItems } from '../../app/project/settings.ts'
import type { BuildOutput } from '../../domain/build/solve.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { context } from '../flags/cluster.ts'
import { flag, maybe, rest, text, texts, type Values } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { imageFlags, reproducible } from '../flags/image.ts'
import { output, progress, report } from '../flags/output.ts'
import { projectFlags, wantedOf } from '../flags/project.ts'
import { buildArguments, oneOf } from '../flags/read.ts'
import { registry } from '../flags/target.ts'
import { usage } from '../flags/usage.ts'
import { projectOf } from '../project.ts'
import { viewed } from '../view/view.ts'

const isPushing = (name: string, given: string | boolean | undefined): Checked<boolean | undefined> =>
  typeof given === 'string'
    ? C.map((value: 'true' | 'false') => value === 'true')(oneOf(name, given, ['true', 'false']))
    : C.ok(given)

const outputOf = ({
  load,
  push,
}: {
  readonly load: boolean
  readonly push: boolean | undefined
}): Checked<BuildOutput> =>
  load && push === true
    ? C.fail(usage('--load and --push: an image goes to one place', 'give one of them; without them, it is pushed'))
    : C.ok(load ? 'Load' : push === false ? 'Store' : 'Push')

type GivenImage = Values<typeof imageFlags> & {
  readonly dockerfile: string | undefined
  readonly images: ReadonlyArray<string>
}

const directOf = (given: GivenImage): Checked<DirectBuild | undefined> => {
  const { allow, dockerfile, images, network, provenance, pull, sbom } = given
  if (dockerfile === undefined) return C.ok(undefined)
  const [folder = '.', ...more] = images
  if (more.length > 0)
    return C.fail(usage('-f builds one Dockerfile, with one folder as its context', 'leave out the other names'))
  const { addHost: hosts, buildContext: contexts, label: labels, ssh } = given
  return C.ok({
    dockerfile,
    context: folder,
    ssh,
    labels,
    contexts,
    hosts,
    network,
    pull,
    entitlements: allow,
    provenance,
    sbom,
  })
}

/** Keys of flags about what is built. */
const onlyBuilding = [
  ...['noCache', 'secret', 'exportCache', 'cacheFrom', 'tag', 'push', 'load', 'ssh', 'metadataFile', 'iidfile'],
  'registry',
]

export const build = command({
  name: 'build',
  group: 'Environment',
  about: 'build and push the images of a devtool.yml or Compose file',
  details: `
    Builds and pushes all images with a \`build\`, of the manifest and of its services. An image whose content is already in the registry is not built again; \`--no-cache\` builds everything from scratch. \`--check\` and \`--load\` push nothing.

    The builder is BUILDKIT_HOST (tcp://HOST:PORT, HOST:PORT, unix:///PATH or kube-pod://POD), else the builder of the context, else the build service of the platform, else the local Docker daemon. DEVTOOL_BUILDKIT_TLS_DIR is a folder with ca.pem, and cert.pem and key.pem if the builder requires a client certificate. No other program is needed.

    \`-f\` builds a single Dockerfile and ignores the manifest; the build context is this folder, or the folder given as an argument, and \`--tag\` sets the name to push to.

    Pushed images are printed by digest. Registry credentials come from the Docker configuration.
  `,
  examples: [
    ['Build and push all images of this folder', '$0 build --registry registry.example.com/team'],
    ['One image, without the cache', '$0 build web --no-cache'],
    ['A Dockerfile', '$0 build -f Dockerfile --tag registry.example.com/team/web:1.0'],
    ['Into the Docker daemon of this machine', '$0 build -f Dockerfile --tag web:1.0 --load'],
    ['Check the Dockerfiles', '$0 build --check'],
  ],
  words: { images: rest('service', { offers: 'images' }) },
  sections: {
    image: [
      ...(['dockerfile', 'target', 'buildArg', 'platform', 'secret', 'noCache', 'reproducible'] as const),
      ...(['tag', 'registry', 'push', 'load'] as const),
    ],
    'image with -f': [
      ...(['ssh', 'label', 'buildContext', 'addHost', 'network', 'pull', 'allow'] as const),
      ...(['provenance', 'sbom', 'metadataFile', 'iidfile'] as const),
    ],
    builder: ['context', 'cacheFrom', 'exportCache'],
    behaviour: ['check'],
  },
  flags: {
    ...projectFlags,
    file: texts('--file', {
      value: 'FILE',
      offers: 'files',
      about: 'Compose file or manifest, `-` for standard input; repeatable, later files are merged over earlier ones',
    }),
    dockerfile: text('-f', {
      value: 'FILE',
      offers: 'files',
      about: 'build this Dockerfile, - for stdin; the manifest is ignored',
    }),
    noCache: flag('--no-cache', 'do not use the build cache'),
    secret: texts('--secret', {
      value: 'SECRET',
      about: 'secret for the build: id=ID,src=FILE or id=ID,env=VARIABLE; repeatable',
    }),
    exportCache: texts('--export-cache', { value: 'IMAGE', about: 'image to export the cache to; repeatable' }),
    cacheFrom: texts('--cache-from', { value: 'IMAGE', about: 'image to import the cache from; repeatable' }),
    target: text('--target', { value: 'STAGE', about: 'build stage to build; for a single image' }),
    tag: texts('-t,--tag', { value: 'IMAGE', about: 'name to push to; for a single image; repeatable' }),
    platform: texts('--platform', { value: 'PLATFORM', about: 'platforms, separated by commas; repeatable' }),
    buildArg: texts('--build-arg', {
      value: 'NAME[=VALUE]',
      about: 'build argument; NAME alone takes its value from the environment; repeatable',
    }),
    check: flag('--check', 'build nothing: check the Dockerfiles, status 1 if there are warnings'),
    load: flag('--load', 'load into the Docker daemon of this machine instead of pushing'),
    push: maybe(
      '--push',
      '--push=false only builds; with the Docker daemon, the image stays there',
      ['true', 'false'],
      isPushing,
    ),
    reproducible,
    ...imageFlags,
    registry: { ...registry, about: 'registry for images without a name' },
    context: { ...context, about: 'use the registry and builder of this context' },
    report,
    output: output(dataForms, 'text'),
    progress,
  },
  run: (given, call) => {
    const settings = {
      ...defined({ registry: given.registry }),
      // Images named on the command line are built whatever their profile.
      ...(given.images.length === 0 ? {} : { profiles: ['*'] }),
    }
    const options = C.struct({
      direct: directOf(given),
      destination: outputOf(given),
      wanted: wantedOf(call, given, [], settings),
      buildArgs: buildArguments(call.env)('--build-arg', given.buildArg),
    })
    return checked(options, async ({ buildArgs = new Map(), destination = 'Push', direct, wanted }) => {
      if (wanted === undefined) return { findings: [] }
      if (direct !== undefined) {
        await call.sayUnused(['file', 'name', 'envFile', 'var', 'profile', 'registry'], 'with -f')
      } else {
        await call.sayUnused(Object.keys(imageFlags), 'without -f')
      }
      const ports = await call.ports(given.progress)
      const chosen = {
        wanted,
        project: () => projectOf(call, ports, wanted),
        names: given.images,
        direct,
        flags: {
          noCache: given.noCache,
          secrets: given.secret,
          exportCache: given.exportCache,
          cacheFrom: given.cacheFrom,
          tags: given.tag,
          platforms: readItems(given.platform),
          buildArgs,
          isReproducible: given.reproducible,
          ...defined({ target: given.target }),
        },
        context: given.context,
        reports: given.report,
        version: call.version,
        signal: call.interruption(),
      }
      const { showBuilt, showCheck } = await import('../view/build.ts')
      if (given.check) {
        await call.sayUnused(onlyBuilding, 'with --check')
        const { checkProject } = await import('../../app/build/check-project.ts')
        const done = await checkProject(ports)(chosen)
        const findings = [...C.findings(options), ...done.findings]
        return viewed({ ...done, findings }, (check) => showCheck(given.output, check))
      }
      const { buildProject } = await import('../../app/build/build-project.ts')
      const written = { metadata: given.metadataFile, id: given.iidfile }
      const done = await buildProject(ports)({ ...chosen, output: destination, written })
      const findings = [...C.findings(options), ...done.findings]
      return viewed({ ...done, findings }, (built) => showBuilt(given.output, built))
    })
  },
})
