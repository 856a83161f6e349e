/**
 * Faults of the cluster itself. DEVTOOL_E2E_FAULT names the program that makes them, called as `PROGRAM kube-apiserver
 * stop|cont|kill` and `PROGRAM kubelet stop|cont NODE`.
 */
import { spawnSync } from 'node:child_process'

const [program = '', ...words] = (process.env['DEVTOOL_E2E_FAULT'] ?? '').split(' ')

export const noFaults = program === '' ? 'DEVTOOL_E2E_FAULT is not set' : undefined

type Victim = readonly ['kube-apiserver'] | readonly ['kubelet', string]

export const fault = ([victim, ...node]: Victim, action: 'stop' | 'cont' | 'kill'): void => {
  const { status, stderr } = spawnSync(program, [...words, victim, action, ...node], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${victim} ${action}: ${stderr}`)
}

/** It is frozen while `run` lasts. */
export const frozen = async <A>(victim: Victim, run: () => Promise<A>): Promise<A> => {
  fault(victim, 'stop')
  try {
    return await run()
  } finally {
    fault(victim, 'cont')
  }
}
