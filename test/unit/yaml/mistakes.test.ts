/** What is said of the usual mistakes in YAML, each as somebody makes it in a Compose file. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../../src/domain/checked.ts'
import { source } from '../../../src/domain/text/source.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'

const said = (text: string): string => {
  const [found] = C.findings(readYaml(source('compose.yaml', '.', text)))
  return found === undefined ? '' : [found.message.replace('invalid YAML: ', ''), found.help ?? ''].join('; ')
}

const colon = 'a value without quotes contains a colon and a space; put the value in quotes'
const cases: ReadonlyArray<readonly [text: string, said: string]> = [
  ['a:\n  command: echo "a: b"\n', colon],
  ['a:\n  labels:\n    - foo: bar: baz\n', colon],
  ['a: b: c\n', colon],
  ['a:\n  image: @x\n', 'a value cannot begin with @; put it in quotes'],
  ['a:\n  - `x`\n', 'a value cannot begin with `; put it in quotes'],
  ["a: 'it's'\n", 'text follows a closing quote; put the whole value in double quotes'],
  ['a: "x" y\n', 'text follows a closing quote; put the whole value in single quotes'],
  ['a:\n  image:nginx\n  ports: []\n', 'no space follows the colon after image; '],
  [
    '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n',
    'a merge conflict is not resolved; keep one of the two versions, and remove the marks',
  ],
  ['a:\n  - A=1\n  B: 2\n', 'a key among the entries of a list; write all of them as list entries, or all as keys'],
  [
    'a:\n  B: 2\n  - A=1\n',
    'a list entry among the keys of a mapping; write all of them as list entries, or all as keys',
  ],
  [
    'a:\n  image: x\n b: 1\n',
    'bad indentation of a mapping entry; this line is indented by 1 space and the one above by 2 spaces: entries of one mapping or list are indented alike',
  ],
  ['a:\n\tb: 1\n', 'tab characters must not be used in indentation; indent with spaces'],
  [
    'a: "C:\\Users"\n',
    'expected hexadecimal character; in double quotes \\ begins an escape: write \\\\, or use single quotes',
  ],
  ['a:\n  image:nginx\n  ports:\n    - 80\n', 'no space follows the colon after image; '],
  [
    'a:\n  image: nginx\n    ports:\n    - 80\n',
    'this line is indented by 4 spaces and the one above by 2 spaces; indent the keys of a mapping alike',
  ],
  ['a: "x\\0y"\n', 'an escape stands for a NUL character; '],
  ['a: ["\\u0000"]\n', 'an escape stands for a NUL character; '],
  ['a: "\\ud83d\\ude00 \\udfff"\n', 'an escape stands for half of a surrogate pair; '],
  ['a: [1, 2\nb: 3\n', 'deficient indentation; close the bracket or quote that is open here'],
]

for (const [text, expected] of cases) {
  test(`${JSON.stringify(text)} is explained`, () => {
    assert.is(said(text), expected)
  })
}

test.run()
