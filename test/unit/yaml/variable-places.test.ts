/** Where findings about variables point, however the text is written. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../../src/domain/checked.ts'
import { source } from '../../../src/domain/text/source.ts'
import { newBudget } from '../../../src/domain/yaml/budget.ts'
import { interpolateCompose } from '../../../src/domain/yaml/interpolate.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'

/** What the first finding and its related places underline. */
const underlined = (text: string): ReadonlyArray<string> => {
  const [root] = C.valueOf(readYaml(source('compose.yaml', '.', text))) ?? []
  if (root === undefined) throw new Error('no document')
  const [found] = C.findings(interpolateCompose(() => undefined, root, newBudget()))
  const places = [found?.at, ...(found?.related ?? []).map(({ at }) => at)]
  const lines = text.split('\n')
  return places.map((at) =>
    at === undefined ? '' : `${at.line}:${lines[at.line - 1]?.slice(at.col - 1, at.endCol - 1)}`,
  )
}

const cases: ReadonlyArray<readonly [how: string, text: string, found: ReadonlyArray<string>]> = [
  ['plain', 'k: a $X b\n', ['1:$X']],
  ['quoted', 'k: "a ${X}"\n', ['1:${X}']],
  ['quoted with escapes', 'k: "a\\t$$X $X\\n"\n', ['1:$X']],
  ['in a block', 'k: |\n  a\n   b ${X} ${Y}\n', ['3:${X}', '3:${Y}']],
  ['in a folded block, behind a dollar sign of its own', 'k: >-\n  a $$X\n  b $X\n', ['3:$X']],
  ['in a default', 'k: |\n  ${A:-$X}\n', ['2:$X']],
  ['with an escaped dollar sign, where the text is uncertain', 'k: "\\x24A $X"\n', ['1:"\\x24A $X"', '1:"\\x24A $X"']],
  ['required in a block', 'k: |\n  a\n  b ${X:?why}\n', ['3:${X:?why}']],
  ['wrong in a block', 'k: |\n  a\n  b ${X!} c\n', ['3:!']],
]

for (const [how, text, found] of cases) {
  test(`a variable ${how} is underlined`, () => assert.equal(underlined(text), found))
}

test.run()
