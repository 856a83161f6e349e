/** What connections to pods have to do, tried on the ones in memory and through a real API server. */
import * as assert from 'uvu/assert'
import { type Case, failed, statusOf } from './cluster-world.ts'
import { asking, bytesOf, command, hashOf, type PodsWorld, read, within } from './pods-world.ts'

const eightMiB = 8 * 1024 * 1024

/** `world` is asked when a case runs, not before. */
export const dialCases = (world: () => PodsWorld): ReadonlyArray<Case> => {
  const { dial } = asking(world)
  const cases: Array<Case> = []
  const must = (title: string, run: Case[1]): void => void cases.push([title, run])

  must('a connection carries 8 MiB both ways at once, unchanged', async () => {
    const { bytes } = await dial()
    const sent = bytesOf(eightMiB)
    bytes.write(command('e'))
    bytes.write(sent)
    const got = await within('echo', read(bytes, sent.length))
    assert.is(hashOf(got), hashOf(sent))
  })

  must('after our end of the stream, data of the pod still arrives', async () => {
    const { bytes, closed } = await dial()
    const sent = bytesOf(eightMiB)
    bytes.write(command('p', sent.length))
    bytes.end(sent)
    assert.is((await within('put', read(bytes))).toString(), hashOf(sent))
    assert.is(await within('closed', closed), undefined)
  })

  must('a slow reader loses nothing, and a bounded number of bytes is read ahead', async () => {
    const { bytes, closed } = await dial()
    bytes.write(command('g', 4 * eightMiB))
    const got: Array<Buffer> = []
    const readSome = (): void => {
      for (let chunk: unknown = bytes.read(); chunk instanceof Buffer; chunk = bytes.read()) got.push(chunk)
    }
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.ok(bytes.readableLength < 1024 * 1024, `${bytes.readableLength} bytes wait`)
      readSome()
    }
    got.push(await within('get', read(bytes)))
    assert.is(hashOf(Buffer.concat(got)), hashOf(bytesOf(4 * eightMiB)))
    assert.is(await within('closed', closed), undefined)
  })

  must('a receiver that does not read slows down the writer', async () => {
    const { bytes } = await dial()
    bytes.write(command('s'))
    const part = bytesOf(1024 * 1024)
    let written = 0
    const more = (): void => {
      while (written < 256 && !bytes.destroyed) {
        written += 1
        if (!bytes.write(part)) return void bytes.once('drain', more)
      }
    }
    more()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.ok(written < 256, 'everything was taken')
    bytes.destroy()
  })

  for (const [who, begin] of [
    ['that nobody reads', command('g', 4 * eightMiB)],
    ['to somebody who does not read', Buffer.concat([command('s'), bytesOf(2 * eightMiB)])],
  ] as const) {
    must(`a connection ${who} does not hold up the next ones`, async () => {
      const stuck = await dial()
      stuck.bytes.write(begin)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const streams = await Promise.all(Array.from({ length: 20 }, () => dial()))
      for (const [index, { bytes }] of streams.entries()) {
        bytes.write(command('e'))
        bytes.write(`connection ${index}`)
        const echoed = await within(`echo ${index}`, read(bytes, `connection ${index}`.length))
        assert.is(echoed.toString(), `connection ${index}`)
        bytes.destroy()
      }
      stuck.bytes.destroy()
    })
  }

  must('a connection to a port on which nothing listens is refused', async () => {
    const { bytes, closed } = await dial(7001)
    bytes.resume()
    const failure = await within('closed', closed)
    assert.is(failure?._tag, 'Refused')
    assert.match(failure?._tag === 'Refused' ? failure.message : '', /7001/)
    assert.ok(bytes.destroyed)
  })

  must('200 connections at once work side by side', async () => {
    const one = async (index: number): Promise<string> => {
      const { bytes } = await dial()
      bytes.write(command('e'))
      const text = `connection ${index}`
      bytes.write(text)
      const got = await read(bytes, text.length)
      bytes.destroy()
      return got.toString()
    }
    const indices = Array.from({ length: 200 }, (_, index) => index)
    const got = await within('200 connections', Promise.all(indices.map(one)))
    assert.equal(
      got,
      indices.map((index) => `connection ${index}`),
    )
  })

  must('the signal closes a connection', async () => {
    const stop = new AbortController()
    const { bytes, closed } = await dial(undefined, stop.signal)
    bytes.write(command('e'))
    stop.abort()
    assert.is((await within('closed', closed))?._tag, 'Aborted')
    assert.ok(bytes.destroyed)
    const { cluster, pod } = world()
    assert.is((await failed(cluster.pods.dial(pod, 7000, stop.signal)))._tag, 'Aborted')
  })

  must('closing a connection is not a failure', async () => {
    const { bytes, closed } = await dial()
    bytes.destroy()
    assert.is(await within('closed', closed), undefined)
  })

  must('a connection that is cut fails with a reason', async () => {
    const { bytes, closed } = await dial()
    bytes.write(command('e'))
    bytes.write('first')
    await read(bytes.iterator({ destroyOnReturn: false }), 5)
    world().cut()
    const failure = await within('closed', closed)
    assert.is(failure?._tag, 'Unreachable')
    assert.match(failure?._tag === 'Unreachable' ? failure.cause : '', /cut off|reset/)
    assert.ok(bytes.destroyed)
  })

  must('connections to, and commands in, a missing pod are refused', async () => {
    const { cluster, pod } = world()
    const { signal } = new AbortController()
    const none = { ...pod, name: 'none' }
    assert.is(statusOf(await failed(cluster.pods.dial(none, 80, signal))), '404 NotFound')
    assert.is(statusOf(await failed(cluster.pods.exec(none, { command: ['true'] }, signal))), '404 NotFound')
  })

  return cases
}
