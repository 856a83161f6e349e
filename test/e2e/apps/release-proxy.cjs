/** An HTTP proxy that knows one host, releases.invalid, whose files are those of a folder: FOLDER LOG. Prints its port. */
const { appendFileSync, createReadStream, existsSync } = require('node:fs')
const { createServer } = require('node:http')
const { basename, join } = require('node:path')

const [folder, log] = process.argv.slice(2)

const server = createServer(({ method, url }, response) => {
  appendFileSync(log, `${method} ${url}\n`)
  const file = join(folder, basename(url))
  const isKnown = url.startsWith('http://releases.invalid/devtool/') && existsSync(file)
  response.writeHead(isKnown ? 200 : 404)
  if (isKnown) createReadStream(file).pipe(response)
  else response.end()
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
