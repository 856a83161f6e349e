/** What the last lines of a log say, in the words of programs that people run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Cause } from '../../../src/domain/why/cause.ts'
import { readLog } from '../../../src/domain/why/log.ts'

const crash: Cause = {
  code: 'DT3207',
  subject: 'web',
  message: 'the container crashes (exit code 1)',
  help: 'its log says why',
  object: 'Pod/web-1',
  isFinal: true,
  logContext: { services: ['web', 'database', 'backend'], mounts: [] },
}

const read = (...lines: ReadonlyArray<string>) => readLog(crash, lines)

const meanings: ReadonlyArray<readonly [line: string, message: RegExp, help: RegExp]> = [
  ['pq: database "shop" does not exist', /: the server has no database shop$/, /POSTGRES_DB/],
  ["ERROR 1049 (42000): Unknown database 'shop'", /: the server has no database shop$/, /MYSQL_DATABASE/],
  [
    'Error: Database is uninitialized and superuser password is not specified.',
    /wants a password for its first start$/,
    /^set POSTGRES_PASSWORD under/,
  ],
  ['Database is uninitialized and password option is not specified', /wants a password/, /^set MYSQL_ROOT_PASSWORD/],
  ['ReplyError: NOAUTH Authentication required.', /does not accept its password/, /keeps those of its first start/],
  ['MongoServerError: Authentication failed.', /does not accept its password/, /environment/],
  ['pq: SSL is not enabled on the server', /wants TLS/, /sslmode=disable/],
  ["KeyError: 'DATABASE_URL'", /: the variable DATABASE_URL is not set$/, /^set DATABASE_URL under/],
  ['Error: DATABASE_URL is not set', /: the variable DATABASE_URL is not set$/, /env_file/],
  ['key not found: "SECRET_KEY_BASE" (KeyError)', /: the variable SECRET_KEY_BASE is not set$/, /environment/],
  ['error: Environment variable not found: DATABASE_URL.', /: the variable DATABASE_URL is not set$/, /environment/],
  ['required key DATABASE_URL missing value', /: the variable DATABASE_URL is not set$/, /environment/],
  ['npm error Missing script: "start"', /: package.json has no script "start"$/, /working_dir/],
  [
    "python: can't open file '/app/mian.py': [Errno 2] No such file",
    /: the file \/app\/mian.py is not in/,
    /Dockerfile/,
  ],
  ['sh: npm: not found', /: the program npm is not in the image$/, /command/],
  ['/bin/sh: 1: npm: not found', /: the program npm is not in the image$/, /command/],
  ['Error: Unable to access jarfile app.jar', /: the file app.jar is not in the image$/, /Dockerfile/],
  ['socket.gaierror: [Errno -2] Name or service not known', /: a name that it connects to does not exist$/, /backend/],
  ['Unable to canonicalize address backnd:2181', /: the name backnd does not exist$/, /did you mean .*"backend"/],
]

for (const [line, message, help] of meanings) {
  test(line, () => {
    const found = read('starting', line, '    at main (/app/index.js:3:9)')
    assert.match(found.message, message)
    assert.match(found.help ?? '', help)
  })
}

test('a line that no rule reads is quoted when it names an error', () => {
  const told = read(
    'listening on 8080',
    'Error: the licence has expired',
    '    at check (/app/index.js:3:9)',
    'Node.js v22',
  )
  assert.is(told.message, 'the container crashes (exit code 1): Error: the licence has expired')
  assert.is(told.help, 'its log says why')
})

test('without such a line nothing is added, and long ones are cut', () => {
  assert.is(read('listening on 8080', 'bye').message, crash.message)
  assert.is(read(`fatal: ${'x'.repeat(5000)}`).message.length, crash.message.length + 2 + 200)
})

test('causes that say more than that a program ended are left as they are', () => {
  const unready: Cause = { ...crash, code: 'DT3209', message: 'the readiness check fails' }
  assert.is(readLog(unready, ['Error: the licence has expired']).message, unready.message)
})

test.run()
