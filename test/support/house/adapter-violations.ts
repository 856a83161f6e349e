/**
 * Adapters that import what they may not (use cases, and other adapters that are not shared) or read the time
 * themselves.
 */
import type { Violation } from './clean.ts'

const restricted = 'no-restricted-imports'

export const adapterViolations: ReadonlyArray<Violation> = [
  [
    'an adapter imports a use case',
    'src/adapters/system/b4.ts',
    "import { deploy } from '../../app/deploy.ts'\nexport const a = deploy",
    'lint',
    restricted,
  ],
  [
    'an adapter imports another adapter',
    'src/adapters/other/b5.ts',
    "import { clock } from '../system/clock.ts'\nexport const a = clock",
    'lint',
    restricted,
  ],
  [
    'an adapter imports another adapter by a detour',
    'src/adapters/other/b6.ts',
    "import { clock } from './../system/clock.ts'\nexport const a = clock",
    'structure',
    'another adapter',
  ],
  [
    'http imports another adapter',
    'src/adapters/http/b10.ts',
    "import { clock } from './../system/clock.ts'\nexport const a = clock",
    'structure',
    'another adapter',
  ],
  [
    'an adapter imports one whose name begins as that of a shared one',
    'src/adapters/other/b11.ts',
    "import { clock } from '../https/clock.ts'\nexport const a = clock",
    'lint',
    restricted,
  ],
  [
    'an adapter looks at a clock of its own',
    'src/adapters/other/b12.ts',
    'export const a = (): number => Date.now()',
    'lint',
    'ask the Clock',
  ],
  [
    'an adapter has a timer of its own',
    'src/adapters/other/in/b13.ts',
    'export const a = setTimeout',
    'lint',
    'ask the Clock',
  ],
  [
    'an adapter has a signal that a timer of its own aborts',
    'src/adapters/other/in/b15.ts',
    'export const a = AbortSignal.timeout(1)',
    'lint',
    'AbortSignal.timeout',
  ],
  [
    'an adapter imports a timer of Node',
    'src/adapters/other/in/b14.ts',
    "import { setTimeout as pause } from 'node:timers/promises'\nexport const a = pause",
    'lint',
    restricted,
  ],
]
