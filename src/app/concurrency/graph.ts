/**
 * Runs jobs that depend on each other: each as early as possible, with a limit on how many limited ones run at once.
 */

type Job = { readonly id: string; readonly after: ReadonlyArray<string> }

/**
 * `isLimited`: counts against `atOnce`; other jobs only wait, and those that nothing depends on begin when no limited
 * one is running. `run` resolves to whether the jobs that depend on it may begin.
 */
type Running<J> = {
  readonly atOnce: number
  readonly isLimited: (job: J) => boolean
  readonly run: (job: J) => Promise<boolean>
}

/**
 * A dependency that is not in `jobs` counts as done. Returns the jobs that never began, because a dependency failed or
 * they are part of a cycle.
 */
export const runGraph = <J extends Job>(
  jobs: ReadonlyArray<J>,
  { atOnce, isLimited, run }: Running<J>,
): Promise<ReadonlyArray<J>> => {
  const ids = new Set(jobs.map(({ id }) => id))
  const open = new Map(jobs.map(({ id, after }) => [id, new Set(after.filter((other) => ids.has(other)))]))
  const waiting = new Map<string, Array<J>>()
  for (const job of jobs) {
    for (const other of open.get(job.id) ?? []) {
      const known = waiting.get(other)
      if (known === undefined) waiting.set(other, [job])
      else known.push(job)
    }
  }
  const begun = new Set<string>()
  const ready = jobs.filter(({ id }) => open.get(id)?.size === 0)
  // Jobs that may begin as soon as one of the running ones ends; the first `resumed` of them have begun already.
  const held: Array<J> = []
  const last: Array<J> = []
  let [running, limited, resumed] = [0, 0, 0]
  return new Promise((resolve) => {
    const finish = (job: J, isDone: boolean): void => {
      running -= 1
      if (isLimited(job)) limited -= 1
      if (isDone) {
        for (const next of waiting.get(job.id) ?? []) {
          const left = open.get(next.id)
          left?.delete(job.id)
          if (left?.size === 0) ready.push(next)
        }
      }
      proceed()
    }
    const begin = (job: J): void => {
      begun.add(job.id)
      running += 1
      if (isLimited(job)) limited += 1
      void run(job).then((isDone) => finish(job, isDone))
    }
    const proceed = (): void => {
      for (const job of held.slice(resumed, resumed + Math.max(atOnce - limited, 0))) {
        resumed += 1
        begin(job)
      }
      for (const job of ready.splice(0)) {
        if (isLimited(job) && limited >= atOnce) held.push(job)
        else if (isLimited(job) || waiting.has(job.id)) begin(job)
        else last.push(job)
      }
      if (limited === 0) for (const job of last.splice(0)) begin(job)
      if (running === 0) resolve(jobs.filter(({ id }) => !begun.has(id)))
    }
    proceed()
  })
}
