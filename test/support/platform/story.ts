/** A platform as its users see it; the API behind it is the real one. */
import { memoryBuilders } from '../../memory/builder.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryConsole } from '../../memory/console.ts'
import { type MemoryPlatform, memoryPlatforms } from '../../memory/platforms.ts'
import { memoryPrompt } from '../../memory/prompt.ts'
import { devtool } from '../cli/cli.ts'
import { testBrowser } from './browser.ts'
import { type Person, settings, type TestPlatform, testPlatform, tokenOf } from './world.ts'

export const URL_OF_IT = 'https://p.test'
export const CONFIG = 'context/config.json'
const SCREEN = { columns: 80, rows: 24, type: 'xterm' }
type Story = {
  readonly platform?: TestPlatform
  readonly home?: Map<string, string>
  readonly env?: Readonly<Record<string, string>>
  readonly answers?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly isAttended?: boolean
} & Omit<MemoryPlatform, 'url' | 'send'>

/** `said`: lines for people during a login. */
export const at = (story: Story = {}) => {
  const {
    answers,
    env = {},
    files = {},
    home = new Map<string, string>(),
    isAttended = false,
    platform = testPlatform(),
  } = story
  const screen = memoryConsole(isAttended ? SCREEN : undefined)
  const { server } = settings.kubernetes
  const cluster = { ...platform.cluster, server }
  const ports = {
    clusters: memoryClusters(new Map([['plain', cluster]])),
    console: screen,
    platforms: memoryPlatforms({
      ...story,
      url: URL_OF_IT,
      send: (method, path, more) => platform.send(method, path, more),
    }),
    prompt: memoryPrompt(new Map(Object.entries(answers ?? {}))),
  }
  const builders = memoryBuilders()
  const run = (...argv: ReadonlyArray<string>) =>
    devtool(argv, { env, files, memory: { home, ports: { ...ports, builders } } })
  return { run, builders, home, platform, said: screen.said }
}

export const as = (person: Person, more: Story = {}) =>
  at({
    ...more,
    env: { DEVTOOL_CONTEXT: URL_OF_IT, DEVTOOL_TOKEN: tokenOf(person), DEVTOOL_NAMESPACE: 'shop', ...more.env },
  })

export const stored = (home: Map<string, string>) => JSON.parse(home.get(CONFIG) ?? '{}').contexts?.[URL_OF_IT]

/** A user who agrees in the browser, or does not. */
export const browserOf =
  (platform: TestPlatform, decision = 'allow') =>
  async (page: URL) => {
    const browser = testBrowser(platform.send)
    const path = page.pathname + page.search
    const shown = await browser.enter(path, { subject: 'ann', email: 'ann@example.com' })
    const back = await browser.submit(page.pathname, { ...shown.fields, decision })
    return { text: shown.text, answer: new Map(new URL(back.location, 'http://none').searchParams) }
  }
