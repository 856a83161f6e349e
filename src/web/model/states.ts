/** How states are shown: a tone for the colour, and words. */

type Tone = 'good' | 'busy' | 'bad' | 'quiet' | 'dev'

export type Shown = { readonly tone: Tone; readonly text: string }

const services: Readonly<Record<string, Shown>> = {
  ready: { tone: 'good', text: 'Ready' },
  complete: { tone: 'good', text: 'Complete' },
  stopped: { tone: 'quiet', text: 'Stopped' },
  progressing: { tone: 'busy', text: 'Starting' },
  failed: { tone: 'bad', text: 'Failed' },
  developed: { tone: 'dev', text: 'In development' },
}

const environments: Readonly<Record<string, Shown>> = {
  deployed: { tone: 'good', text: 'Deployed' },
  progressing: { tone: 'busy', text: 'Deploying' },
  destroying: { tone: 'busy', text: 'Being destroyed' },
  error: { tone: 'bad', text: 'Last deploy failed' },
  unknown: { tone: 'quiet', text: 'Deployed by other means' },
}

const shownIn = (table: Readonly<Record<string, Shown>>, state: string): Shown =>
  Object.hasOwn(table, state) ? (table[state] ?? { tone: 'quiet', text: state }) : { tone: 'quiet', text: state }

/** `isBroken`: whether a problem is known. */
export const serviceState = (state: string, isBroken: boolean): Shown =>
  state === 'progressing' && isBroken ? { tone: 'bad', text: 'Not starting' } : shownIn(services, state)

export const environmentState = (state: string, isBroken: boolean): Shown =>
  state === 'deployed' && isBroken ? { tone: 'bad', text: 'Has a problem' } : shownIn(environments, state)

/** Of a namespace that sleeps, and of what is stopped in it. */
export const asleep: Shown = { tone: 'quiet', text: 'Asleep' }

const namespaces: Readonly<Record<string, Shown>> = {
  Active: { tone: 'good', text: 'Active' },
  Deleting: { tone: 'busy', text: 'Being deleted' },
  DeleteFailed: { tone: 'bad', text: 'Not deleted' },
}

type SeenNamespace = { readonly status: string; readonly isAsleep?: boolean }

export const namespaceState = ({ isAsleep = false, status }: SeenNamespace): Shown =>
  status === 'Active' && isAsleep ? asleep : shownIn(namespaces, status)

const runs: Readonly<Record<string, Shown>> = {
  queued: { tone: 'quiet', text: 'Queued' },
  running: { tone: 'busy', text: 'Running' },
  succeeded: { tone: 'good', text: 'Succeeded' },
  failed: { tone: 'bad', text: 'Failed' },
  cancelled: { tone: 'quiet', text: 'Cancelled' },
  'timed-out': { tone: 'bad', text: 'Timed out' },
}

export const runState = (status: string): Shown => shownIn(runs, status)

type Person = { readonly user: string; readonly email: string }

export const nameOfPerson = ({ email, user }: Person): string => (email === '' ? user : email)

type WaitingRun = {
  readonly status: string
  readonly started?: string
  readonly cancelledBy?: Person
  readonly replacedBy?: string
  readonly waitsFor?: { readonly for: string; readonly run?: string }
}

/** Without a reason from an older server. */
const waitText = (wait: WaitingRun['waitsFor']): string => {
  if (wait?.for === 'run') return `It waits for run ${wait.run} of the pipeline, which is under way.`
  if (wait?.for === 'namespace') return 'It waits for other runs of the namespace, which runs only a few at a time.'
  return 'It waits for its turn: a pipeline runs once at a time, and a namespace and the platform run only a few.'
}

/** Why a run has not started, or who cancelled it. */
export const runNote = ({ cancelledBy, replacedBy, started, status, waitsFor }: WaitingRun): string | undefined => {
  if (status === 'queued') return `${waitText(waitsFor)} Its log appears here when it starts.`
  if (status !== 'cancelled') return undefined
  if (replacedBy !== undefined) return `The newer run ${replacedBy} of the pipeline replaced it before it started.`
  if (cancelledBy !== undefined) return `${nameOfPerson(cancelledBy)} cancelled it.`
  return started === undefined
    ? 'It was cancelled before it started, by somebody or because a newer run of the pipeline replaced it.'
    : undefined
}
