import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { readItems } from '../../app/project/settings.ts'
import type { BuildFlags } from '../../domain/build/flags.ts'
import * as C from '../../domain/checked.ts'
import { progresses } from '../flags.ts'
import { usage } from '../mistake.ts'
import { assignments, oneOf, reports } from '../options.ts'
import { ProjectCommand } from '../project.ts'

export class BuildCommand extends ProjectCommand {
  static override paths = [['build']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'build and push the images of a devtool.yml or Compose file',
    details: `
      Builds what has a \`build\`, in the manifest and in its services, those that do not need each other at the same time, and pushes it. An image whose content is in the registry already is not built again; \`--no-cache\` builds all anew.

      The builder is that of BUILDKIT_HOST (tcp://HOST:PORT, HOST:PORT, unix:///PATH or kube-pod://POD), else that of the context, else the Docker daemon of this machine. DEVTOOL_BUILDKIT_TLS_DIR names a folder with ca.pem, and cert.pem and key.pem where the builder wants to know who asks. No other program is needed.

      With \`-f\` that Dockerfile is built, whatever the manifest says, with this folder, or the one that is named, as its context; \`--tag\` says where to push it.

      What was pushed is printed by digest. Credentials of registries come from the Docker configuration.
    `,
    examples: [
      ['Build and push all images of this folder', '$0 build --registry registry.example.com/team'],
      ['One image, whatever its cache has', '$0 build web --no-cache'],
      ['A Dockerfile', '$0 build -f Dockerfile --tag registry.example.com/team/web:1.0'],
      ['Try whether it builds', '$0 build --push=false'],
    ],
  })

  images = Option.Rest({ name: 'service' })
  override file = Option.Array('--file', [], {
    description: 'the Compose file or manifest; repeatable, later ones are merged over earlier ones',
  })

  dockerfile = Option.String('-f', { description: 'build this Dockerfile; the manifest is ignored' })
  noCache = Option.Boolean('--no-cache', false, { description: 'do not use the cache' })
  secret = Option.Array('--secret', [], {
    description: 'secret for the build: id=ID,src=FILE or id=ID,env=VARIABLE; repeatable',
  })

  exportCache = Option.Array('--export-cache', [], { description: 'image to export the cache to; repeatable' })
  cacheFrom = Option.Array('--cache-from', [], { description: 'image to take cache from; repeatable' })
  target = Option.String('--target', { description: 'stage to build; of one image' })
  tag = Option.Array('-t,--tag', [], { description: 'name to push to; of one image; repeatable' })
  platform = Option.Array('--platform', [], { description: 'platforms, separated by commas; repeatable' })
  buildArg = Option.Array('--build-arg', [], { description: 'NAME=VALUE for the Dockerfile; repeatable' })
  push = Option.String('--push', 'true', {
    tolerateBoolean: true,
    description: 'false: build only; into the Docker daemon, when that is the builder',
  })

  registry = Option.String('--registry', { description: 'registry of images without a name' })
  contextName = Option.String('--context', { description: 'context whose registry and builder are used' })
  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })
  progress = Option.String('--progress', 'auto', { description: 'auto, tty, plain, json or quiet; default auto' })

  override isJson(): boolean {
    return this.output === 'json' || this.progress === 'json'
  }

  override isQuiet(): boolean {
    return this.progress === 'quiet'
  }

  private flags(): C.Checked<BuildFlags> {
    const { cacheFrom, exportCache, noCache, platform, secret, tag, target } = this
    return C.map(
      (args: ReadonlyMap<string, string>): BuildFlags => ({
        noCache,
        secrets: secret,
        exportCache,
        cacheFrom,
        tags: tag,
        platforms: readItems(platform),
        buildArgs: args,
        ...(target === undefined ? {} : { target }),
      }),
    )(assignments('--build-arg', this.buildArg))
  }

  private isPushing(): C.Checked<boolean> {
    const { push } = this
    if (typeof push === 'boolean') return C.ok(push)
    return C.map((text: 'true' | 'false') => text === 'true')(oneOf('--push', push, ['true', 'false']))
  }

  private direct(): C.Checked<{ readonly dockerfile: string; readonly context: string } | undefined> {
    if (this.dockerfile === undefined) return C.ok(undefined)
    const [context = '.', ...more] = this.images
    if (more.length === 0) return C.ok({ dockerfile: this.dockerfile, context })
    return C.fail(usage('-f builds one Dockerfile, with one folder as its context', 'leave out the other names'))
  }

  async useCase(): Promise<Outcome> {
    const settings = {
      ...(this.registry === undefined ? {} : { registry: this.registry }),
      // What is named is built, whatever profile it is in.
      ...(this.images.length === 0 ? {} : { profiles: ['*'] }),
    }
    const direct = this.direct()
    const options = C.struct({
      direct,
      flags: this.flags(),
      isPushing: this.isPushing(),
      output: oneOf('--output', this.output, dataForms),
      progress: oneOf('--progress', this.progress, progresses),
      wanted: this.wanted([], settings),
      reports: reports('--report', this.report),
    })
    return this.given(
      options,
      async ({ flags, isPushing = true, output = 'text', progress, reports: files = [], wanted }) => {
        if (wanted === undefined || flags === undefined) return { findings: [] }
        const ports = await this.context.ports(progress)
        const { openProject } = await import('../../app/project/project.ts')
        const { buildProject } = await import('../../app/build/build-project.ts')
        return buildProject(ports)({
          project: openProject(ports)(wanted),
          names: this.images,
          direct: C.valueOf(direct),
          flags,
          isPushing,
          output,
          context: this.contextName,
          reports: files,
          version: this.context.version,
          signal: this.context.interruption(),
        })
      },
    )
  }
}
