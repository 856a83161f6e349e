/** Containers that cannot be started: no command, one that does not exist or may not run, or a wrong folder. */
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, isUnstarted } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { type MountedVolume, mountAt, mountsOf, sayHidden } from './hidden.ts'
import { keysOf } from './keys.ts'
import { causeOf, describe, type Finding, nameOf, type Scene, wasTriedAgain } from './scene.ts'

const waitingReasons: ReadonlyArray<string> = ['RunContainerError', 'CreateContainerError']

/** The runtime's message when it could not start the container. */
const refusalOf = ({ before, ended, waiting }: ContainerState): string | undefined => {
  if (waiting !== undefined && waitingReasons.includes(waiting.reason)) return waiting.message
  const last = ended ?? before
  return isUnstarted(last?.reason) ? last?.message : undefined
}

/** The innermost error: each layer adds its own prefix. */
const innermost = (text: string): string =>
  text
    .replace(/: unknown$/, '')
    .split(/(?:create failed|container process|container init): /)
    .at(-1) ?? text

type Refused = Pick<Finding, 'code' | 'message' | 'help'> & { readonly isUnclear?: boolean }

/** `mounts`: those of the container. */
type Started = ContainerState & { readonly mounts: ReadonlyArray<MountedVolume> }

type Rule = readonly [words: RegExp, say: (container: Started, match: RegExpExecArray) => Refused]

const RUNNABLE =
  'mount it with `mode: 0555` (in a pod, `defaultMode` of the volume), or start it through its interpreter'
const SHELL = 'check command and entrypoint; they run without a shell, so shell syntax needs ["sh", "-c", "..."]'

/** The copies for `x-devtool-volume-init` run in the image of the service. */
const shellHelp = ({ name, role }: ContainerState): string =>
  role === 'Init' && name.startsWith('init-')
    ? 'x-devtool-volume-init needs one to copy the content of the image: leave it out, or add a shell to the image'
    : 'let `command` or `entrypoint` name a program of the image, as a list'

const mountOf = ({ mounts, spec }: Started, program: string): MountedVolume | undefined => {
  const folder = textAt(spec, 'workingDir') ?? '/'
  const path = program.startsWith('/') ? program : `${folder.replace(/\/$/, '')}/${program.replace(/^\.\//, '')}`
  return program.includes('/') ? mountAt(mounts, path) : undefined
}

/** A volume may hide the image's program. */
const sayAbsent = (container: Started, program: string): Refused => {
  if (program === 'sh') return { code: 'DT3217', message: 'the image has no shell', help: shellHelp(container) }
  const mount = mountOf(container, program)
  return mount === undefined
    ? { code: 'DT3217', message: `${program} is not a program in the image`, help: SHELL }
    : { code: 'DT3217', ...sayHidden(mount, program) }
}

const sayClosed = (container: Started, program: string): Refused => {
  const mount = mountOf(container, program)
  return mount?.isHeld === true
    ? { code: 'DT3217', message: `${program}, a file of ${mount.volume}, is not executable`, help: RUNNABLE }
    : {
        code: 'DT3217',
        message: `${program} is not executable`,
        help: 'make the file executable in the image, or start it through its interpreter',
      }
}

const FOLDER = 'let `working_dir` name a folder that the image has'

/** Messages of the runtime; the first match counts. */
const rules: ReadonlyArray<Rule> = [
  [
    /OOM-killed \(memory limit too low/,
    ({ spec }) => ({
      code: 'DT3208',
      message: `its memory limit of ${textAt(spec, 'resources', 'limits', 'memory') ?? 'the namespace'} is too small to start anything`,
      help: `raise the memory limit of the service (${keysOf('limits.memory')})`,
    }),
  ],
  [
    /no command specified/,
    ({ image }) => ({
      code: 'DT3217',
      message: `there is no command: the image ${image} has neither ENTRYPOINT nor CMD`,
      help: 'set `command` or `entrypoint` of the service, or CMD in the Dockerfile',
    }),
  ],
  [
    /to rootfs at "([^"]{1,500})".{0,500}?Are you trying to mount a directory onto a file/s,
    (_, [, path]) => ({
      code: 'DT3217',
      message: `a file is mounted at ${path}, where the image has a folder, or a folder where it has a file`,
      help: 'correct the target of the mount: the full path of the file, or a folder',
    }),
  ],
  [
    /(?:mkdir (\S{1,500}?)|chdir to cwd \("([^"]{1,500})"\).{0,200}?): not a directory/,
    (_, [, made, entered]) => ({
      code: 'DT3217',
      message: `its working folder ${made ?? entered} is a file, or lies below one`,
      help: FOLDER,
    }),
  ],
  [
    /chdir to cwd \("([^"]{1,500})"\).{0,200}?: (permission denied|no such file)/,
    (_, [, path, why]) => ({
      code: 'DT3217',
      message: `its working folder ${path} ${why === 'permission denied' ? 'is closed to its user' : 'does not exist'}`,
      help: FOLDER,
    }),
  ],
  [
    /exec: "([^"]*)": (?:stat \S{1,500}: )?(?:executable file not found|no such file or directory|is a directory)/,
    (container, [, program = '']) => sayAbsent(container, program),
  ],
  [/\bexec "?([^":\s]+)"?: no such file or directory/, (container, [, program = '']) => sayAbsent(container, program)],
  [/\bexec:? "?([^":\s]+)"?: permission denied/, (container, [, program = '']) => sayClosed(container, program)],
]

const sayRefused = (container: Started, text: string): Refused => {
  for (const [words, say] of rules) {
    const match = words.exec(text)
    if (match !== null) return say(container, match)
  }
  return { code: 'DT3217', message: innermost(text), help: 'see the events of the pod', isUnclear: true }
}

export const startCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const text = refusalOf(container)
  if (text === undefined) return []
  const base = { next: describe(scene, pod), event: innermost(text) }
  if (text.includes('exec format error')) {
    const message = `the image ${container.image} is built for an architecture other than that of the node`
    const help = 'build it for that platform as well, or choose other nodes with x-node-selector'
    return [causeOf(scene, pod, { ...base, code: 'DT3203', message, help, isFinal: true })]
  }
  const {
    isUnclear = false,
    message,
    ...said
  } = sayRefused({ ...container, mounts: mountsOf(pod, container.spec) }, text)
  const isMade = container.waiting?.reason !== 'CreateContainerError'
  return [
    causeOf(scene, pod, {
      ...base,
      ...said,
      message: `${nameOf(scene, container)} cannot be started: ${message}`,
      isFinal: isMade || !isUnclear || wasTriedAgain(scene, pod, container),
    }),
  ]
}
