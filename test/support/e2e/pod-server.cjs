/**
 * What listens in a pod of the tests: plain JavaScript, since it runs there as it is. The first byte of a connection says
 * what it does, the next eight with how many bytes.
 */
const { createHash } = require('node:crypto')
const { createServer } = require('node:net')

/** The same bytes everywhere, none like its neighbours. */
const block = Buffer.from(Array.from({ length: 65_521 }, (_, index) => (index * 7919) % 251))

const give = (stream, size) => {
  let left = size
  const more = () => {
    while (left > 0 && !stream.destroyed) {
      const part = block.subarray(0, Math.min(left, block.length))
      left -= part.length
      if (!stream.write(part)) return stream.once('drain', more)
    }
    return stream.end()
  }
  more()
}

const take = (stream, size, first) => {
  const hash = createHash('sha256')
  let got = 0
  const read = (chunk) => {
    hash.update(chunk)
    got += chunk.length
    if (got >= size) stream.end(hash.digest('hex'))
  }
  stream.on('data', read)
  read(first)
}

const serve = (stream) => {
  stream.on('error', () => {})
  stream.once('data', (chunk) => {
    const size = Number(chunk.readBigUInt64BE(1))
    const rest = chunk.subarray(9)
    switch (String.fromCharCode(chunk[0])) {
      case 'e':
        if (rest.length > 0) stream.write(rest)
        stream.pipe(stream)
        break
      case 'g':
        give(stream, size)
        break
      case 'p':
        take(stream, size, rest)
        break
      case 's':
        stream.pause()
        break
      default:
        stream.destroy()
    }
  })
}

const listen = () => createServer({ allowHalfOpen: true, noDelay: true }, serve).listen(7000)

module.exports = { block, listen, serve }
