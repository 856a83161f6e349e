/** A network namespace of Linux, which root can cut off from this machine. */
import { execFileSync } from 'node:child_process'

export type NetworkNamespace = {
  /** The address of this machine, seen from inside. */
  readonly host: string
  /** Arguments that run a command inside. */
  readonly inside: (...words: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Like pulling a cable: the programs on either side get no notice. */
  readonly plug: (isPlugged: boolean) => void
  /** Of the packets in each direction, this part is lost from now on. */
  readonly lose: (part: number) => void
  /** How many packets were lost so. */
  readonly lost: () => number
}

export const canMakeNetworks = (): boolean => process.getuid?.() === 0

const ip = (...words: ReadonlyArray<string>): void => void execFileSync('ip', words, { stdio: 'pipe' })

let made = 0

export const withNetworkNamespace = async (use: (network: NetworkNamespace) => Promise<void>): Promise<void> => {
  made += 1
  // Names of devices have at most 15 characters.
  const name = `dt${process.pid}-${made}`
  // A range for documentation, which only the tests use.
  const subnet = `198.51.100.${((process.pid + made) % 60) * 4}`
  const [host, inner] = [1, 2].map((last) => subnet.replace(/\d+$/, (first) => String(Number(first) + last)))
  if (host === undefined || inner === undefined) throw new Error('no address')
  ip('netns', 'add', name)
  try {
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'veth', 'netns', name)
    ip('addr', 'add', `${host}/30`, 'dev', name)
    ip('link', 'set', name, 'up')
    for (const words of [
      ['addr', 'add', `${inner}/30`, 'dev', 'veth'],
      ['link', 'set', 'veth', 'up'],
      ['link', 'set', 'lo', 'up'],
    ]) {
      ip('-n', name, ...words)
    }
    const drop = (...words: ReadonlyArray<string>): void => {
      const [part = '', ...where] = words
      const chance = ['-m', 'statistic', '--mode', 'random', '--probability', part, '-j', 'DROP']
      ip('netns', 'exec', name, 'iptables', '-A', ...where, ...chance)
    }
    await use({
      host,
      inside: (...words) => ['ip', 'netns', 'exec', name, ...words],
      plug: (isPlugged) => ip('link', 'set', name, isPlugged ? 'up' : 'down'),
      lose: (part) => {
        drop(String(part), 'INPUT', '-i', 'veth')
        drop(String(part), 'OUTPUT', '-o', 'veth')
      },
      lost: () => {
        const words = ['netns', 'exec', name, 'iptables', '-nvxL']
        const rules = execFileSync('ip', words, { encoding: 'utf8' }).matchAll(/^ *(\d+) +\d+ DROP/gm)
        return [...rules].reduce((sum, [, packets]) => sum + Number(packets), 0)
      },
    })
  } finally {
    ip('netns', 'del', name)
  }
}
