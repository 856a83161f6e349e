/** Prints what each client answers without a proxy, in the environment of this process. */
import dns from 'node:dns'
import { clients, closeClients, host } from './clients.ts'
import { resolveHere } from './names.ts'

const restore = resolveHere(dns, host)
for (const [name, reach] of Object.entries(clients)) process.stdout.write(`${name}: ${await reach({})}\n`)
closeClients()
restore()
