/** Ports that are forwarded to this machine. */
import * as t from 'io-ts'
import { type DataOf, document, keys } from '../print/document.ts'

const Forwarded = keys({
  address: [t.string, 'where this machine listens, for example `127.0.0.1:8080`'],
  port: [t.number, 'port of the service'],
})

export const ForwardList = document('forward', 'Printed once, as soon as this machine listens.', {
  environment: [t.string, 'name of the environment'],
  namespace: [t.string, 'the namespace'],
  service: [t.string, 'name of the service'],
  forwards: [t.readonlyArray(Forwarded), 'in the order in which they were given'],
})
export type ForwardList = DataOf<typeof ForwardList>
