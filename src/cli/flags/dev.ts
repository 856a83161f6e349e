/** Flags of commands about development containers. */
import type { Target } from '../../app/context/target.ts'
import type { ProjectOptions } from '../../app/project/choose.ts'
import type { Checked } from '../../domain/checked.ts'
import { clusterFlags } from './cluster.ts'
import { flag, may, parsed, text, type Values } from './flag.ts'
import { namingFlags, wantedOf } from './project.ts'
import { duration } from './read.ts'

export const devName = may('devName', { offers: 'devs' })

/** Which project, and where its development containers are. */
export const devFlags = { file: namingFlags.file, ...clusterFlags }

/** The project, read only for the names of its development containers. */
export const projectFor = (
  call: Parameters<typeof wantedOf>[0],
  given: Values<typeof devFlags>,
): Checked<ProjectOptions> => wantedOf(call, { ...given, name: undefined, envFile: [], var: new Map() })

export const takeOverSession = flag('--take-over', 'also if somebody else, or another session of yours, develops it')

export const agentImage = text('--agent-image', {
  value: 'IMAGE',
  about:
    'image of Node.js for Debian that the agent is installed from; default: DEVTOOL_AGENT_IMAGE, else that of the context, else the official one',
})

/** A fixed version, so that the tested version is the one that runs. */
const officialImage = 'node:22.23.3-bookworm-slim'

export const agentImageOf = (
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  { agentImage: stored }: Pick<Target, 'agentImage'>,
): string => given || env['DEVTOOL_AGENT_IMAGE'] || stored || officialImage

/** Milliseconds. */
export const startTimeout = parsed(
  '--timeout',
  { value: 'DURATION', about: 'how long the container may take to start; default: that of the section, else 2m0s' },
  duration,
)
