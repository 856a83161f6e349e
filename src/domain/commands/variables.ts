/** The environment variables of a manifest's commands. */

/** An image of the `build` section; `digest` as `sha256:…`. */
export type BuiltImage = {
  readonly name: string
  readonly registry: string
  readonly repository: string
  readonly tag: string
  readonly digest?: string
}

/** What an environment that this one depends on provides: its variables and its images. */
export type DependencyVariables = {
  readonly name: string
  readonly variables: ReadonlyMap<string, string>
  readonly builds: ReadonlyArray<BuiltImage>
}

/** `shell` is the environment devtool itself runs in, `vars` are those of `--var`. */
export type CommandFacts = {
  readonly shell: ReadonlyMap<string, string>
  readonly environment: string
  readonly namespace: string
  readonly domain?: string
  readonly registry?: string
  readonly commit?: string
  readonly branch?: string
  readonly vars: ReadonlyMap<string, string>
  readonly builds: ReadonlyArray<BuiltImage>
  readonly dependencies: ReadonlyArray<DependencyVariables>
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** `my-api` becomes `MY_API` in names of variables. */
const variableName = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')

/** `_SHA` is the tag with its digest, which charts accept as a tag; without a digest it is just the tag. */
const buildPairs =
  (prefix: string) =>
  ({ digest, name, registry, repository, tag }: BuiltImage): Pairs => {
    const start = `${prefix}BUILD_${variableName(name)}_`
    const named = `${registry === '' ? '' : `${registry}/`}${repository}`
    return [
      [`${start}IMAGE`, digest === undefined ? `${named}:${tag}` : `${named}@${digest}`],
      [`${start}REGISTRY`, registry],
      [`${start}REPOSITORY`, repository],
      [`${start}TAG`, digest ?? tag],
      [`${start}SHA`, digest === undefined ? tag : `${tag}@${digest}`],
    ]
  }

const dependencyPairs = ({ builds, name, variables }: DependencyVariables): Pairs => {
  const start = `DEVTOOL_DEPENDENCY_${variableName(name)}_`
  return [
    ...[...variables].map(([key, value]) => [`${start}VARIABLE_${key}`, value] as const),
    ...builds.flatMap(buildPairs(start)),
  ]
}

/** The variables that describe a built image to later steps: `DEVTOOL_BUILD_<NAME>_IMAGE` and its parts. */
export const buildVariables = (builds: ReadonlyArray<BuiltImage>): ReadonlyMap<string, string> =>
  new Map(builds.flatMap(buildPairs('DEVTOOL_')))

const known = (name: string, value: string | undefined): Pairs => (value === undefined ? [] : [[name, value]])

/** Later ones override earlier ones: devtool's own over `--var`, and `--var` over the shell's. */
export const commandVariables = (facts: CommandFacts): ReadonlyMap<string, string> =>
  new Map([
    ...facts.shell,
    ...facts.vars,
    ...facts.dependencies.flatMap(dependencyPairs),
    ...buildVariables(facts.builds),
    ['DEVTOOL_NAME', facts.environment],
    ['DEVTOOL_NAMESPACE', facts.namespace],
    ...known('DEVTOOL_DOMAIN', facts.domain),
    ...known('DEVTOOL_REGISTRY', facts.registry),
    ...known('DEVTOOL_REGISTRY_URL', facts.registry),
    ...known('DEVTOOL_GIT_COMMIT', facts.commit),
    ...known('DEVTOOL_GIT_BRANCH', facts.branch),
    // A devtool that a command starts is part of this run.
    ['DEVTOOL_WITHIN_COMMAND', 'true'],
  ])
