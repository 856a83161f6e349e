/** Headings of flags in help texts: the same in all commands. */

/** In the order in which they are shown. */
export const headings = [
  'source',
  'image',
  'image with -f',
  'builder',
  'platform',
  'target',
  'preview',
  'behaviour',
  'output',
] as const

type Heading = (typeof headings)[number]

/** The keys of flags that a command has below a heading, in their order. */
export type Sections<Key extends string> = Readonly<Partial<Record<Heading, ReadonlyArray<Key>>>>

/** Where flags are if their command does not say otherwise. */
const usual: Sections<string> = {
  source: ['file', 'repository', 'branch', 'profile', 'var', 'envFile', 'hostFiles', 'strict'],
  image: ['registry', 'pullRegistry', 'build', 'builder', 'reproducible', 'agentImage'],
  target: ['name', 'context', 'namespace', 'kubeconfig', 'token', 'domain', 'tlsSecret', 'ingressClass'],
  preview: ['diff', 'dryRun', 'showSecrets', 'golden', 'update'],
  output: ['output', 'progress', 'timestamps', 'raw', 'report', 'loglevel'],
}

/** A command with more flags than these has headings. */
const mostWithoutHeadings = 8

/** The keys below each heading; what belongs nowhere else is behaviour. */
export const sectionsOf = (
  keys: ReadonlyArray<string>,
  own: Sections<string> = {},
): ReadonlyArray<readonly [heading: string, keys: ReadonlyArray<string>]> => {
  if (keys.length <= mostWithoutHeadings) return [['flags', keys]]
  const claimed = Object.values(own).flat()
  const listed = headings.map((heading) => {
    const common = (usual[heading] ?? []).filter((key) => !claimed.includes(key))
    return [heading, [...(own[heading] ?? []), ...common].filter((key) => keys.includes(key))] as const
  })
  const placed = listed.flatMap(([, known]) => known)
  const rest = keys.filter((key) => !placed.includes(key))
  return listed.flatMap(([heading, known]) => {
    const all = heading === 'behaviour' ? [...known, ...rest] : known
    const [first = '', ...more] = heading.split(' ')
    return all.length === 0 ? [] : [[[first, 'flags', ...more].join(' '), all] as const]
  })
}
