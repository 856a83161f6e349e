/**
 * A proxy that knows the files of a folder, on a host for HTTP and on one for HTTPS, which is that of the certificate:
 * FOLDER LOG. Prints its port.
 */
const { appendFileSync, createReadStream, existsSync, readFileSync } = require('node:fs')
const { createServer } = require('node:http')
const https = require('node:https')
const { basename, join } = require('node:path')

const [folder, log] = process.argv.slice(2)
const pem = (name) => readFileSync(join(__dirname, '../../support/tls', name))

const answer = (method, url, response) => {
  appendFileSync(log, `${method} ${url}\n`)
  const file = join(folder, basename(url))
  const isKnown = /^(?:http:\/\/releases\.invalid|https:\/\/builder\.example\.com)\/devtool\//.test(url) && existsSync(file)
  response.writeHead(isKnown ? 200 : 404)
  if (isKnown) createReadStream(file).pipe(response)
  else response.end()
}

const secure = https.createServer({ key: pem('server-key.pem'), cert: pem('server.pem') }, ({ method, url }, response) =>
  answer(method, `https://builder.example.com${url}`, response),
)

const server = createServer(({ method, url }, response) => answer(method, url, response))
server.on('connect', ({ url }, socket) => {
  if (url !== 'builder.example.com:443') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  socket.write('HTTP/1.1 200 OK\r\n\r\n')
  secure.emit('connection', socket)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
