/** What is found during a run is reported once, so no form of progress may leave it out. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import { warning } from '../../../src/domain/diagnostic/diagnostic.ts'

for (const mode of ['auto', 'tty', 'plain', 'json', 'quiet'] as const) {
  test(`a warning during a build is on standard error with --progress ${mode}`, () => {
    const written = { stdout: '', stderr: '' }
    const frame = (stream: keyof typeof written) => ({
      isTerminal: mode === 'tty',
      color: false,
      screen: { columns: 80, rows: 24, write: (text: string) => void (written[stream] += text) },
    })
    const progress = ttyProgress({
      mode,
      env: {},
      stdout: frame('stdout'),
      stderr: frame('stderr'),
      clock: { now: () => 0, every: () => () => {} },
      onExit: () => {},
    })
    progress.tell({ _tag: 'Found', diagnostic: warning('DT4030', 'the Docker configuration cannot be read') })
    progress.end()
    assert.match(written.stderr, 'DT4030')
    assert.is(written.stdout, '')
  })
}

test.run()
