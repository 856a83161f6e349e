/** The scan for patterns that take more than linear time. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSlow } from '../../scripts/regexes.ts'

const slow = [
  '(a*)*b',
  'a*a*b',
  '\\s+$',
  '(?:a|a)*b',
  '^(a{0,50}){0,50}b',
  '^(a|a){0,60}b',
  '^(a?a?){30}b',
  '^(?:[a-z]|[a-f0-9]){10,40}!',
  '^(?:a{1,9}b?){1,99}c',
  '^(?:(?:a|ab)(?:b?)){20}c',
]

const linear = [
  '^a*b',
  '^[a-z]+:[0-9]+$',
  '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
  '^(?:a|b){0,60}c',
  '^a{0,50}b{0,50}c',
  '^(?:[a-z0-9]+-)*[a-z0-9]+$',
  '^(?:a{0,50};){0,50}b',
]

for (const pattern of slow) test(`${pattern} is slow`, () => assert.ok(isSlow(pattern, '')))
for (const pattern of linear) test(`${pattern} is linear`, () => assert.not.ok(isSlow(pattern, '')))

test.run()
