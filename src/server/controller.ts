/** The program of the controller: leads, or waits until it can, and stops at SIGTERM. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { listenForCluster } from '../adapters/api-server/listen.ts'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../ports/cluster.ts'
import { runController } from './control.ts'
import { clockOf, connect, ended, fail, log } from './program.ts'

const HEALTH_PORT = 9090

const control = async (cluster: Cluster): Promise<void> => {
  const text = (name: string): string => process.env[`DEVTOOL_${name}`] ?? ''
  const [image, most, idle] = [text('IMAGE'), Number(text('MAX_RUNS')), Number(text('SLEEP_AFTER'))]
  if (image === '') return fail(error('DT6011', 'DEVTOOL_IMAGE must name the image of the platform'))
  const holder = `${hostname()}-${randomBytes(4).toString('hex')}`
  const programs = { image, domain: text('DOMAIN'), registry: text('REGISTRY') }
  const limits = { ...(most > 0 ? { maxRuns: most } : {}), ...(idle > 0 ? { sleepAfterSeconds: idle } : {}) }
  const hasBuilder = text('BUILDER') === 'true'
  const options = { cluster, clock: await clockOf(cluster), programs, holder, hasBuilder, write: log, ...limits }
  const running = runController(options)
  const probes = await listenForCluster(running.page, HEALTH_PORT)
  await ended
  await running.stop()
  probes.cut()
  await probes.close()
  cluster.close()
}

const main = async (): Promise<void> => {
  const first = await Promise.race([connect()(), ended])
  if (first === undefined) return process.exit(0)
  await E.match(async (failure: Diagnostic) => fail(failure), control)(first)
}

void main()
