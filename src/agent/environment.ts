/** The environment and the shell of programs. Pure: the facts about the container are passed in. */

export type ContainerFacts = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether a program can be run, or a folder can be written to. */
  readonly isProgram: (path: string) => boolean
  readonly isWritable: (folder: string) => boolean
  /** The name of the user, when the image has one for its id. */
  readonly userName: string | undefined
  readonly userId: number
  /** The folder of the agent. */
  readonly folder: string
}

/** Prefix of variables for the agent only. */
const own = 'DEVTOOL_AGENT_'
/** What pid1.sh sets for the agent only. */
const ownNames: ReadonlySet<string> = new Set([
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
  'MALLOC_TOP_PAD_',
])
/** The prefix under which pid1.sh saves variables that would also affect the agent. */
const saved = 'DEVTOOL_SAVED_'

/** The agent's own shell is used in images without one. */
export const shellOf = ({ folder, isProgram }: ContainerFacts): string =>
  ['/bin/bash', '/usr/bin/bash', '/bin/sh', '/bin/ash'].find(isProgram) ?? `${folder}/sh`

/** The environment of the container, with a writable home, a user and a shell. */
export const environmentOf = (container: ContainerFacts): Readonly<Record<string, string>> => {
  const { environment, folder, isWritable, userId, userName } = container
  const given = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || name.startsWith(own) || ownNames.has(name) ? [] : [[name, value] as const],
  )
  const kept = given.filter(([name]) => !name.startsWith(saved))
  const restored = given
    .filter(([name]) => name.startsWith(saved))
    .map(([name, value]) => [name.slice(saved.length), value] as const)
  const variables: Readonly<Record<string, string>> = Object.fromEntries([...kept, ...restored])
  const { HOME: home, SHELL: shell = shellOf(container), USER: user = userName ?? String(userId) } = variables
  return {
    ...variables,
    HOME: home !== undefined && isWritable(home) ? home : `${folder}/home`,
    SHELL: shell,
    USER: user,
  }
}
