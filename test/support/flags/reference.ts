/** The flags documented in the reference of the command line. */

const placed = ['--file', '--namespace', '--context'] as const
const timed = ['--namespace', '--timeout', '--wait'] as const

/** By command. */
export const referenceFlags: Readonly<Record<string, ReadonlyArray<string>>> = {
  analytics: ['--loglevel', '--disable'],
  build: ['--loglevel', '--file', '-f', '--no-cache', '--secret', '--export-cache', '--cache-from'],
  context: ['--loglevel', '--token', '--namespace', '--builder'],
  'context delete': ['--loglevel'],
  'context list': ['--loglevel'],
  'context show': ['--loglevel'],
  'context use': ['--loglevel'],
  deploy: ['--loglevel', '--build', '--dependencies', '--file', '--name', ...timed, '--var', '--no-bash'],
  destroy: ['--loglevel', '--name', ...timed, '--volumes', '--no-bash', '--all'],
  doctor: ['--loglevel'],
  down: ['--loglevel', ...placed, '--volumes'],
  endpoints: ['--loglevel', '--output'],
  exec: ['--loglevel', ...placed],
  help: ['--loglevel'],
  init: ['--loglevel', '--file', '--replace', '--namespace', '--context', '-v1'],
  kubeconfig: ['--loglevel'],
  logs: [
    ...['--loglevel', '--all', '--exclude', '--since', '--tail', '--timestamps'],
    ...['--file', '--namespace', '--context'],
  ],
  namespace: ['--loglevel'],
  'namespace create': ['--loglevel'],
  'namespace delete': ['--loglevel'],
  'namespace list': ['--loglevel'],
  'namespace use': ['--loglevel'],
  'pipeline deploy': [
    ...['--loglevel', '--branch', '--file', '--name', ...timed, '--repository', '--skip-if-exists', '--var'],
  ],
  'pipeline destroy': ['--loglevel', '--name', ...timed, '--volumes'],
  'preview deploy': [
    ...['--loglevel', '--branch', '--file', '--repository', '--scope', '--sourceUrl', '--timeout', '--var', '--wait'],
  ],
  'preview destroy': ['--loglevel'],
  'preview endpoints': ['--loglevel', '--output'],
  'preview list': ['--loglevel'],
  restart: ['--loglevel', ...placed],
  status: ['--loglevel', ...placed, '--info', '--watch'],
  up: ['--loglevel', ...placed, '--env', '--deploy', '--reset', '--command'],
  version: ['--loglevel'],
}
