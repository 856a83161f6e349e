/** Files and folders that import each other, to be added to the clean tree. */
import type { Tree, Violation } from './clean.ts'

export const circles: ReadonlyArray<Violation> = [
  [
    'modules form a circle',
    'src/cli/c2.ts',
    "import { d } from './c3.ts'\nexport const c = (): unknown => d",
    'lint',
    'no-cycle',
  ],
  [
    'modules form a circle of types',
    'src/cli/c4.ts',
    "import type { D } from './c5.ts'\nexport type C = { readonly d?: D }",
    'lint',
    'no-cycle',
  ],
  [
    'two folders import each other',
    'src/domain/i1/a.ts',
    "import type { B } from '../i2/b.ts'\nexport type A = B | 1",
    'structure',
    'a.ts:1: folders import each other: src/domain/i1 → src/domain/i2 → src/domain/i1',
  ],
  [
    'three folders import each other in a ring',
    'src/domain/i3/a.ts',
    "export { b } from '../i4/b.ts'",
    'structure',
    'a.ts:1: folders import each other: src/domain/i3 → src/domain/i4 → src/domain/i5 → src/domain/i3',
  ],
  [
    'a folder and a folder in it import each other lazily',
    'src/adapters/i6/a.ts',
    "export const a = () => import('./i7/b.ts')",
    'structure',
    'a.ts:1: folders import each other: the files of src/adapters/i6 → src/adapters/i6/i7 → the files of src/adapters/i6',
  ],
]

/** The other file of each circle. */
export const accomplices: Tree = {
  'src/domain/i1/b.ts': 'export type B = 1\n',
  'src/domain/i2/a.ts': "import type { B } from '../i1/b.ts'\nexport type A = B | 2\n",
  'src/domain/i2/b.ts': 'export type B = 2\n',
  'src/domain/i3/b.ts': 'export const b = 3\n',
  'src/domain/i4/a.ts': "export { b } from '../i5/b.ts'\n",
  'src/domain/i4/b.ts': 'export const b = 4\n',
  'src/domain/i5/a.ts': "export { b } from '../i3/b.ts'\n",
  'src/domain/i5/b.ts': 'export const b = 5\n',
  'src/adapters/i6/b.ts': 'export const b = 6\n',
  'src/adapters/i6/i7/a.ts': "export { b } from '../b.ts'\n",
  'src/adapters/i6/i7/b.ts': 'export const b = 7\n',
  'src/cli/c3.ts': "import { c } from './c2.ts'\nexport const d = (): unknown => c\n",
  'src/cli/c5.ts': "import type { C } from './c4.ts'\nexport type D = { readonly c?: C }\n",
}
