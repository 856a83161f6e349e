/** Small or plain input that is made to be expensive, each as files that are written into a folder. */

const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

const numbered = (count: number, text: (index: number) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.yaml`, text(i)]))

const service = 'services:\n  web:\n    image: nginx\n'

type HostileInput = {
  readonly title: string
  /** The code of the refusal; `undefined` for what is large and right. */
  readonly code?: string
  readonly files: () => Readonly<Record<string, string>>
}

export const hostileInputs: ReadonlyArray<HostileInput> = [
  {
    title: 'aliases that stand for 9^9 values',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `x-0: &a0 [${'x, '.repeat(9)}]\n${times(9, (i) => `x-${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`)}${service}`,
    }),
  },
  {
    title: '3,000 merge keys, each with one key more',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `x-0: &a0 {k: v}\n${times(3_000, (i) => `x-${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: v}\n`)}${service}`,
    }),
  },
  {
    title: '19,000 services that extend the next one',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `services:\n${times(19_000, (i) => `  s${i}: {extends: s${i + 1}}\n`)}  s19000: {image: nginx}\n`,
    }),
  },
  {
    title: '4,000 services that extend one of 4,000 labels',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `services:\n  s0:\n    image: nginx\n    labels: {${times(4_000, (i) => `a${i}: b, `)}}\n${times(4_000, (i) => `  s${i + 1}: {extends: s0}\n`)}`,
    }),
  },
  {
    title: '30 files that each include the next one twice',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `include: [f0.yaml, f0.yaml]\n${service}`,
      ...numbered(30, (i) =>
        i === 29 ? service : `include: [f${i + 1}.yaml, f${i + 1}.yaml]\nservices: {s${i}: {image: x}}`,
      ),
    }),
  },
  {
    title: '600 files that each extend the next one',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': 'services: {web: {extends: {file: f0.yaml, service: web}}}\n',
      ...numbered(600, (i) => `services: {web: {extends: {file: f${i + 1}.yaml, service: web}}}\n`),
    }),
  },
  {
    title: 'the same after a file of 800,000 values',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `services: {web: {extends: {file: f0.yaml, service: web}}}\nx-a:\n${times(800_000, () => '  - a\n')}`,
      ...numbered(600, (i) => `services: {web: {extends: {file: f${i + 1}.yaml, service: web}}}\n`),
    }),
  },
  {
    title: '600 files that each include the next one',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `include: [f0.yaml]\n${service}`,
      ...numbered(600, (i) => `include: [f${i + 1}.yaml]\nservices: {s${i}: {image: x}}\n`),
    }),
  },
  {
    title: '15,000 services that extend those of 10,100 files',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `services:\n${times(15_000, (i) => `  s${i}: {extends: {file: f${i}.yaml, service: web}}\n`)}`,
      ...numbered(10_100, () => 'services: {web: {image: x}}\n'),
    }),
  },
  {
    title: 'five included files of 14 MB',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `include: [${times(5, (i) => `f${i}.yaml, `)}]\n${service}`,
      ...numbered(5, (i) => `services: {s${i}: {image: x}}\nx-a: |\n${`  ${'y'.repeat(70)}\n`.repeat(200_000)}`),
    }),
  },
  {
    title: 'a file of more than 64 MiB',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `${service}    labels:\n${'      - "a label of a long file"\n'.repeat(2_200_000)}`,
    }),
  },
  {
    title: '60 MB of keys',
    code: 'DT1006',
    files: () => ({ 'compose.yaml': `${service}x-a:\n${times(5_000_000, (i) => `  k${i}: v\n`)}` }),
  },
  {
    title: '100,000 nested lists',
    code: 'DT1006',
    files: () => ({ 'compose.yaml': `x-a: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n${service}` }),
  },
  {
    title: 'an env file of 1,000,000 lines',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `${service}    env_file: a.env\n`,
      'a.env': times(1_000_000, (i) => `A${i}=b\n`),
    }),
  },
  {
    title: 'defaults of variables nested 10,000 deep',
    code: 'DT1009',
    files: () => ({
      'compose.yaml': `${service}    command: "${'${A:-'.repeat(10_000)}${'}'.repeat(10_000)}"\n`,
    }),
  },
  {
    title: 'variables of `.env` that double 40 times',
    code: 'DT1006',
    files: () => ({
      'compose.yaml': `${service}    labels: {a: "$V40"}\n`,
      '.env': `V0=${'x'.repeat(10)}\n${times(40, (i) => `V${i + 1}=$V${i}$V${i}\n`)}`,
    }),
  },
]
