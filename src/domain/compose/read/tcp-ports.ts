import type { ComposeService, Port } from '../model.ts'

type Ports = Pick<ComposeService, 'name' | 'ports'>

const byNumber = (ports: ReadonlyArray<Port>): ReadonlyMap<number, Port> => {
  const found = new Map<number, Port>()
  const tcp = ports.filter(({ protocol }) => protocol === 'TCP')
  for (const port of tcp) found.set(port.target, port)
  for (const port of tcp) for (const number of port.published) if (!found.has(number)) found.set(number, port)
  return found
}

/** The TCP ports of services by the numbers that others may use: those of the container before the published ones. */
export const tcpPortsOf = (): ((service: Ports) => ReadonlyMap<number, Port>) => {
  const known = new Map<string, ReadonlyMap<number, Port>>()
  return ({ name, ports }) => {
    const found = known.get(name) ?? byNumber(ports)
    known.set(name, found)
    return found
  }
}
