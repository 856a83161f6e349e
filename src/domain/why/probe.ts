/** Programs that run but fail their probes. */
import { at, listAt, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { Happening } from '../rollout/events.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause, ClosedPort } from './cause.ts'
import { causeOf, evidence, type Finding, nameOf, newest, readLogs, type Scene } from './scene.ts'

type Failed = { readonly probe: 'readiness' | 'liveness' | 'startup'; readonly text: string }

const UNHEALTHY = /^(Readiness|Liveness|Startup) probe (?:failed|errored)[^:]*: ?([\s\S]*)$/

const readFailed = ({ message }: Happening): Failed | undefined => {
  const [, probe, text = ''] = UNHEALTHY.exec(message) ?? []
  if (probe === 'Readiness') return { probe: 'readiness', text: text.trim() }
  if (probe === 'Liveness') return { probe: 'liveness', text: text.trim() }
  return probe === 'Startup' ? { probe: 'startup', text: text.trim() } : undefined
}

/** Resolves named ports. */
const portOf = ({ spec }: ContainerState, probe: Failed['probe']): number | undefined => {
  const check = at(spec, `${probe}Probe`)
  const port = at(check, 'httpGet', 'port') ?? at(check, 'tcpSocket', 'port') ?? at(check, 'grpc', 'port') ?? undefined
  if (typeof port === 'number') return port
  const named = listAt(spec, 'ports').find((each) => textAt(each, 'name') === port)
  return port === undefined ? undefined : numberAt(named, 'containerPort')
}

const declaredPorts = ({ spec }: ContainerState): ReadonlyArray<number> =>
  listAt(spec, 'ports').flatMap((port) => numberAt(port, 'containerPort') ?? [])

/** Ports that programs commonly listen on, tried when nothing better is known. */
const usualPorts: ReadonlyArray<number> = [80, 3000, 4000, 5000, 8000, 8080, 8081, 8443, 8888, 9000]

export const closedPort = (pod: ClusterObject, container: ContainerState, port: number): ClosedPort => ({
  pod: pod.metadata.name,
  port,
  others: [...new Set([port, ...declaredPorts(container), ...usualPorts])],
})

const declaredWords = (container: ContainerState, port: number): string => {
  const declared = declaredPorts(container).filter((each) => each !== port)
  if (declared.length === 0) return ''
  return `; the service declares port ${declared.join(' and ')}`
}

type Explanation = Pick<Finding, 'message' | 'help' | 'closed'>

/** A program that needs longer than its check allows is restarted over and over, and never comes up. */
const isTooSoon = ({ spec }: ContainerState, probe: Failed['probe']): boolean =>
  probe === 'startup' || (probe === 'liveness' && at(spec, 'startupProbe') === undefined)

const LISTEN = 'check the port of the healthcheck, and that the program listens on 0.0.0.0 and not only on 127.0.0.1'

const sayFailed = (
  scene: Scene,
  pod: ClusterObject,
  container: ContainerState,
  { probe, text }: Failed,
): Explanation => {
  const port = portOf(container, probe)
  const check = `the ${probe} check`
  if (port !== undefined && /connection refused/.test(text)) {
    const isSoon = isTooSoon(container, probe)
    return {
      message: `${check} finds nothing listening on port ${port}${isSoon ? ', and has the container restarted' : ''}${declaredWords(container, port)}`,
      help: isSoon
        ? `if it needs longer to start, give the healthcheck a longer start_period; otherwise ${LISTEN}`
        : LISTEN,
      closed: closedPort(pod, container, port),
    }
  }
  const [, program] = /exec: "([^"]+)": (?:executable file not found|stat |no such file)/.exec(text) ?? []
  if (program !== undefined) {
    return {
      message: `the program of ${check}, ${program}, is not in the image`,
      help: 'install it in the image, use another one that is there, or check with `http` (path and port), which needs none',
    }
  }
  if (/malformed HTTP response|first record does not look like a TLS handshake|server gave HTTP response/.test(text)) {
    const speaksTls = text.includes('malformed HTTP response')
    return {
      message: `${check} speaks ${speaksTls ? 'HTTP' : 'HTTPS'} to port ${port ?? '?'}, which speaks ${speaksTls ? 'TLS (HTTPS)' : 'HTTP'}`,
      help: speaksTls ? 'check with a `test` that asks https://, or on a port without TLS' : 'check with http',
    }
  }
  const [, status] = /statuscode: (\d+)/.exec(text) ?? []
  if (status !== undefined) {
    const path = textAt(container.spec, `${probe}Probe`, 'httpGet', 'path') ?? '/'
    return {
      message: `${check} gets status ${status} from port ${port ?? '?'}, path ${path}`,
      help: 'check the path of the healthcheck, and the log of the program',
    }
  }
  if (/timed out|deadline exceeded|Timeout/i.test(text)) {
    return {
      message: port === undefined ? `${check} times out` : `${check} gets no response in time from port ${port}`,
      help: isTooSoon(container, probe)
        ? 'it is restarted each time: give it more time (start_period, timeout), or check what the program is doing'
        : 'give it more time (timeout, start_period), or check what the program is doing',
    }
  }
  return {
    message: `${check} of ${nameOf(scene, container)} fails${text === '' ? '' : `: ${text.split('\n')[0]}`}`,
    help: 'run the check inside the container, and look at the log of the program',
  }
}

const isOf = ({ name }: ContainerState, { container }: Happening): boolean =>
  container === undefined || container === name

/** Probes that fail while the program runs, and containers that were restarted because of one. */
export const probeCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  if (container.role === 'Init' || (container.isReady && container.isRunning)) return []
  const isLooping = container.waiting?.reason === 'CrashLoopBackOff'
  const said = newest(
    scene,
    pod,
    (each) =>
      each.reason === 'Unhealthy' &&
      isOf(container, each) &&
      (container.isRunning || readFailed(each)?.probe !== 'readiness'),
  )
  const failed = said === undefined ? undefined : readFailed(said)
  if (failed === undefined || !(container.isRunning || isLooping || container.ended !== undefined)) return []
  const last = container.ended ?? container.before
  const logs = {
    pod: pod.metadata.name,
    container: container.name,
    isPrevious: container.isRunning && failed.probe !== 'readiness' && container.restarts > 0,
  }
  return [
    causeOf(scene, pod, {
      code: 'DT3209',
      ...sayFailed(scene, pod, container, failed),
      next: readLogs(scene, logs),
      isFinal: last !== undefined && scene.isLooping(pod.metadata.uid, container),
      logs,
      ...evidence(said),
    }),
  ]
}
