/** Without a UTF-8 locale: ASCII for people, the same data as everywhere for programs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devtool } from '../support/cli/cli.ts'

const cycle = 'services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, depends_on: [a]}\n'
const long = `services:\n  web:\n    image: x\n    labels: {name: "naïve ${'x'.repeat(120)}", restart: 1, colour: [bad]}\n`
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

const inLocale = (locale: string, words: ReadonlyArray<string>, file: string) =>
  devtool(words, { env: { LC_ALL: locale }, files: { 'compose.yaml': file } })

test('a cycle is shown with arrows in ASCII', async () => {
  const { status, stderr } = await inLocale('C', ['validate'], cycle)
  assert.is(status, 3)
  assert.match(stderr, 'a > b > a')
  assert.ok(isAscii(stderr), stderr)
  assert.match((await inLocale('C.UTF-8', ['validate'], cycle)).stderr, 'a → b → a')
})

test('a cut line is marked in ASCII, at the same column', async () => {
  const [plain, unicode] = await Promise.all(['C', 'C.UTF-8'].map((locale) => inLocale(locale, ['validate'], long)))
  assert.match(unicode?.stderr ?? '', '| …')
  assert.is(plain?.stderr, unicode?.stderr.replaceAll('…', '~'))
})

test('JSON, findings on stderr and manifests are the same in every locale', async () => {
  for (const [words, file] of [
    [['validate', '-o', 'json'], cycle],
    [['deploy', '--dry-run', '-o', 'json'], cycle],
    [['deploy', '--dry-run', '--name', 'a'], 'services: {web: {image: x, environment: {TEXT: "a → b… ✓"}}}\n'],
  ] as const) {
    const [plain, unicode] = await Promise.all(['POSIX', 'en_US.UTF-8'].map((locale) => inLocale(locale, words, file)))
    assert.equal(plain, unicode)
    assert.match(`${plain?.stdout}${plain?.stderr}`, '→')
  }
})

test.run()
