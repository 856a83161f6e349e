/** Opens every example in the playground, and compares what it shows with what the command prints. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from './command.ts'

type Diagnostic = {
  readonly severity: string
  readonly code: string
  readonly at?: { readonly file: string; readonly line: number; readonly col: number }
}
type Shown = { readonly manifests: string; readonly findings: ReadonlyArray<string> }

const examples = join(root, 'examples')

const names = (): ReadonlyArray<string> =>
  readdirSync(examples, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** In the folder of an example, without variables and settings of this machine. */
const command = (name: string, args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [join(root, 'dist/devtool.cjs'), ...args], {
    cwd: join(examples, name),
    env: { PATH: process.env['PATH'], HOME: join(root, '.cache/no-home') },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const printed = (name: string): Shown => {
  const { diagnostics }: { readonly diagnostics: ReadonlyArray<Diagnostic> } = JSON.parse(
    command(name, ['validate', '-o', 'json']),
  )
  const place = ({ at }: Diagnostic): string => (at === undefined ? '' : ` ${at.file}:${at.line}:${at.col}`)
  const findings = diagnostics.map((one) => `${one.severity} ${one.code}${place(one)}`)
  return { manifests: command(name, ['deploy', '--dry-run']), findings }
}

const shown = async (page: Page): Promise<Shown> => {
  const whats = await page.locator('.findings .what').allTextContents()
  return {
    manifests: (await page.getByLabel('Manifests as YAML').textContent()) ?? '',
    findings: whats.map((what) => what.trim().replaceAll(/\s+/g, ' ')),
  }
}

const isSame = (one: Shown, other: Shown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Until it shows what is expected, or has not for too long. */
const compare = async (page: Page, name: string): Promise<void> => {
  const expected = printed(name)
  const end = Date.now() + 30_000
  let seen = await shown(page)
  while (!isSame(seen, expected) && Date.now() < end) {
    await page.waitForTimeout(100)
    seen = await shown(page)
  }
  if (seen.manifests !== expected.manifests) throw new Error(`example ${name}: other manifests than the command prints`)
  if (!isSame(seen, expected))
    throw new Error(`example ${name}: ${seen.findings.join()} instead of ${expected.findings.join()}`)
}

/** `open` shows an address in a page that shows nothing. */
export const compareExamples = async (
  page: Page,
  open: (page: Page, fragment: string) => Promise<void>,
): Promise<void> => {
  for (const [i, name] of names().entries()) {
    await page.goto('about:blank')
    await open(page, `#example=${name}`)
    if (i === 0) {
      const offered = await page.getByLabel('Example').locator('option').allTextContents()
      if (offered.toSorted().join() !== names().toSorted().join()) throw new Error(`it offers ${offered.join()}`)
    }
    await compare(page, name)
  }
}
