import { watch } from 'node:fs'
import { createServer } from 'node:http'

let greeting
let version = 0
const load = async () => {
  try {
    ;({ greeting } = await import(`./greeting.mjs?${(version += 1)}`))
  } catch (error) {
    console.error(error)
  }
}

await load()
let loaded = Promise.resolve()
// The folder, not the file: a file that is synchronised is replaced by a new one.
watch('.', { persistent: false }, () => {
  loaded = loaded.then(load)
})

const server = createServer((_request, response) => response.end(greeting(process.env.HOSTNAME)))
server.listen(8080, () => console.log('listening on port 8080'))
process.once('SIGTERM', () => server.close())
