/**
 * Hybrid mode: the command runs on this machine with the variables of the container, and connections to the container
 * reach it.
 */
import * as t from 'io-ts'
import { listAt, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { DevContainer, Reverse } from '../manifest/dev-model.ts'
import { fromJson } from '../object/codecs.ts'
import { isContainerNamed } from './agent-pod.ts'
import type { EnvironmentValue } from './request.ts'
import { podSpecOf } from './workload.ts'

/** The name under which the agent serves the variables of its container, as a JSON object. */
export const environmentSubsystem = 'devtool-environment'

const Variables = t.readonly(t.record(t.string, t.string))

/** The agent's answer; `undefined` unless it is a JSON object of strings. */
export const environmentIn = (text: string): t.TypeOf<typeof Variables> | undefined => fromJson(Variables, text)

/** Variables that are valid on one machine only, and those that make programs run other code before their own. */
const ofMachine = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'PWD', 'OLDPWD', 'SHLVL', 'TERM', 'TMPDIR', '_'],
  ...['BASH_ENV', 'ENV', 'IFS', 'PS4', 'PROMPT_COMMAND', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS'],
  ...['PYTHONHOME', 'PYTHONPATH', 'PYTHONSTARTUP', 'PERL5LIB', 'PERL5OPT', 'RUBYLIB', 'RUBYOPT', 'GOPATH', 'GOROOT'],
  ...['JAVA_HOME', 'JAVA_TOOL_OPTIONS', 'GIT_SSH_COMMAND', 'EDITOR', 'VISUAL', 'PAGER'],
])
const startsOfMachine = ['LD_', 'DYLD_', 'BASH_FUNC_', 'SSH_', 'XDG_']

const isOfMachine = (name: string): boolean =>
  ofMachine.has(name) || startsOfMachine.some((start) => name.startsWith(start)) || name.includes('=') || name === ''

/**
 * The environment of the command. `here`: of this machine; `there`: of the container; `given`: of the section and the
 * command line, which may set anything.
 */
export const hybridEnvironment = (
  here: ReadonlyMap<string, string>,
  there: Readonly<Record<string, string>>,
  given: ReadonlyArray<EnvironmentValue>,
): ReadonlyMap<string, string> =>
  new Map([
    ...here,
    ...Object.entries(there).filter(([name, value]) => !isOfMachine(name) && !value.includes('\0')),
    ...given.map(({ name, value }) => [name, value] as const),
  ])

/**
 * Every port of the container is forwarded to the same port of this machine, unless the section forwards it elsewhere
 * or uses that port otherwise.
 */
export const withContainerPorts = (dev: DevContainer, container: string, mirror: ClusterObject): DevContainer => {
  const { at, forward, path, reverse } = dev
  const declared = listAt(podSpecOf(mirror), 'containers')
    .filter(isContainerNamed(container))
    .flatMap((one) => listAt(one, 'ports'))
    .filter((port) => (textAt(port, 'protocol') ?? 'TCP') === 'TCP')
    .flatMap((port) => numberAt(port, 'containerPort') ?? [])
  const added = [...new Set(declared)]
    .filter((port) => !reverse.some(({ local, remote }) => remote === port || local === port))
    .filter((port) => !forward.some(({ local }) => local === port))
    .map((port): Reverse => ({ local: port, remote: port, at, path }))
  return { ...dev, reverse: [...reverse, ...added] }
}
