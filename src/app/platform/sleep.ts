/** Puts a namespace to sleep and wakes it, with the permissions of the user. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { SLEEP_NAME } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import type { GrantedNamespace } from '../../domain/platform/access.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { randomRunId } from '../../domain/platform/run/request.ts'
import { listed } from '../../domain/text/listed.ts'
import type { Clock } from '../../ports/clock.ts'
import { machineOf, silent } from '../environment/server.ts'
import { startWorkloads, stopWorkloads } from '../sleep/sleep.ts'
import { shown } from './namespaces.ts'
import { asUser } from './runs.ts'
import type { Caller, Handlers, PlatformWorld } from './world.ts'

type Findings = ReadonlyArray<Diagnostic>

/** What takes longer goes on after the answer, and is only noted if it fails. */
const ANSWER_MS = 10_000
/** Longer than one that waits for another one. */
const LONGEST_MS = 400_000

const soon =
  (
    { after }: Clock,
    work: TE.TaskEither<Findings, unknown>,
    failedLate: (found: Findings) => void,
  ): TE.TaskEither<Findings, unknown> =>
  () =>
    new Promise((resolve) => {
      let isAnswered = false
      const stop = after(ANSWER_MS, () => {
        isAnswered = true
        resolve(E.right(undefined))
      })
      const end = (done: E.Either<Findings, unknown>): void => {
        stop()
        if (isAnswered && E.isLeft(done)) failedLate(done.left)
        resolve(done)
      }
      void work().then(end)
    })

const ofNamespace = ['DT5060', 'DT5061', 'DT5063']

const problemIn = (name: string, [found]: Findings): Diagnostic =>
  found !== undefined && ofNamespace.includes(found.code)
    ? error('DT6006', found.message, defined({ help: found.help }))
    : error('DT6009', `the cluster of the platform did not carry this out: ${found?.message ?? name}`)

const changes = { sleep: stopWorkloads, wake: startWorkloads } as const

const changed = (world: PlatformWorld, caller: Caller, granted: GrantedNamespace, verb: keyof typeof changes) => {
  const { access, clock, note, random } = world
  const { name } = granted.namespace
  const cluster = asUser(world, caller)
  const holder = `the platform for ${caller.user.email} ${randomRunId(random.bytes(8))}`
  const ports = { clock, machine: machineOf(holder), progress: silent }
  const work = changes[verb](
    { ports, target: { cluster, namespace: name }, signal: clock.timeout(LONGEST_MS) },
    caller.user.email,
  )
  return pipe(
    soon(clock, work, (found) => note('failed', `${verb} ${name}: ${listed(found.map(({ message }) => message))}`)),
    TE.mapLeft((found: Findings) => problemIn(name, found)),
    TE.flatMap(() =>
      pipe(
        cluster.get({ resource: resources.ConfigMap, namespace: name, name: SLEEP_NAME }),
        TE.mapLeft(clusterProblem(`namespace ${name}`)),
      ),
    ),
    TE.map((record) => {
      if (record !== undefined) access.see(record)
      return shown(world, granted)
    }),
  )
}

export const sleepHandlers = (world: PlatformWorld): Handlers<'sleepNamespace' | 'wakeNamespace'> => ({
  sleepNamespace: ({ caller, granted }) => changed(world, caller, granted, 'sleep'),
  wakeNamespace: ({ caller, granted }) => changed(world, caller, granted, 'wake'),
})
