/** What commands in pods have to do, tried on the ones in memory and through a real API server. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { Case } from './cluster-world.ts'
import { asking, bytesOf, hashOf, type PodsWorld, read, within } from './pods-world.ts'

const mebibyte = 1024 * 1024

const sized = (size: string): string =>
  `until [ "$(stty size 2>/dev/null)" = "${size}" ]; do sleep 0.1; done; stty size`
/** A terminal gets its size only when its command has begun, and the next by another stream than its input. */
export const sizesShown = `${sized('17 91')}; read line; ${sized('40 120')}`

export const execCases = (world: () => PodsWorld): ReadonlyArray<Case> => {
  const { exec, run } = asking(world)
  const cases: Array<Case> = []
  const must = (title: string, test: Case[1]): void => void cases.push([title, test])

  must('a command has its exit status, its output and its errors', async () => {
    assert.equal(await run('sh', '-c', 'echo out; echo err >&2'), { out: 'out\n', err: 'err\n', exit: 0 })
    assert.equal(await run('sh', '-c', 'exit 3'), { out: '', err: '', exit: 3 })
    assert.is((await run('sh', '-c', 'kill -9 $$')).exit, 137)
    assert.is((await run('sh', '-c', 'no-such-program')).exit, 127)
  })

  must('a missing program is a failure, not an exit status', async () => {
    const execution = await exec({ command: ['no-such-program'] })
    execution.stdout.resume()
    execution.stderr.resume()
    const exit = await within('exit', execution.exit())
    assert.match(E.isLeft(exit) && exit.left._tag === 'Refused' ? exit.left.message : '', /no-such-program/)
  })

  must('8 MiB pass through a command, whose input ends', async () => {
    const { exit, stderr, stdin, stdout } = await exec({ command: ['cat'], hasStdin: true })
    stderr.resume()
    const sent = bytesOf(8 * mebibyte)
    stdin.end(sent)
    assert.is(hashOf(await within('cat', read(stdout))), hashOf(sent))
    assert.equal(await within('exit', exit()), E.right(0))
  })

  must('a slow reader of an output loses nothing, and a bounded number of bytes is read ahead', async () => {
    const { exit, stderr, stdout } = await exec({ command: ['head', '-c', String(32 * mebibyte), '/dev/zero'] })
    stderr.resume()
    let length = 0
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.ok(stdout.readableLength < mebibyte, `${stdout.readableLength} bytes wait`)
      for (let chunk: unknown = stdout.read(); chunk instanceof Buffer; chunk = stdout.read()) length += chunk.length
    }
    length += (await within('head', read(stdout))).length
    assert.is(length, 32 * mebibyte)
    assert.equal(await within('exit', exit()), E.right(0))
  })

  must('a command that does not read its input slows down the writer', async () => {
    const stop = new AbortController()
    const { stderr, stdin, stdout } = await exec({ command: ['sleep', '100'], hasStdin: true }, stop.signal)
    for (const output of [stdout, stderr]) output.resume()
    const part = bytesOf(mebibyte)
    let written = 0
    const more = (): void => {
      while (written < 256 && !stdin.destroyed) {
        written += 1
        if (!stdin.write(part)) return void stdin.once('drain', more)
      }
    }
    more()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    stop.abort()
    assert.ok(written < 256, 'everything was accepted')
  })

  must('a command that stops reading its input can end', async () => {
    const { exit, stderr, stdin, stdout } = await exec({ command: ['head', '-c', '5'], hasStdin: true })
    stderr.resume()
    // Of much more than this container runtimes forget that the command has ended.
    stdin.write(bytesOf(100_000))
    assert.is((await within('head', read(stdout))).length, 5)
    assert.equal(await within('exit', exit()), E.right(0))
  })

  must('a terminal has a size, which can change', async () => {
    const command = ['sh', '-c', sizesShown]
    const terminal = { columns: 91, rows: 17 }
    const { exit, resize, stderr, stdin, stdout } = await exec({ command, hasStdin: true, terminal })
    stderr.resume()
    let text = ''
    stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text === '17 91\r\n') {
        resize({ columns: 120, rows: 40 })
        stdin.write('\n')
      }
    })
    assert.equal(await within('exit', exit()), E.right(0))
    assert.match(text, /^17 91\r\n(?:\r\n)?40 120\r\n$/)
  })

  must('the signal ends the connection of a command', async () => {
    const stop = new AbortController()
    const { exit, stderr, stdout } = await exec({ command: ['sleep', '100'] }, stop.signal)
    stdout.resume()
    stderr.resume()
    stop.abort()
    const ended = await within('exit', exit())
    assert.is(E.isLeft(ended) ? ended.left._tag : 'it ended', 'Aborted')
  })

  must('a command whose connection is cut fails with the reason', async () => {
    const { exit, stderr, stdout } = await exec({ command: ['sh', '-c', 'echo here; sleep 100'] })
    stderr.resume()
    await within('output', read(stdout.iterator({ destroyOnReturn: false }), 5))
    world().cut()
    const ended = await within('exit', exit())
    assert.is(E.isLeft(ended) ? ended.left._tag : 'it ended', 'Unreachable')
  })

  return cases
}
