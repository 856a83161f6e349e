/** The images that were built, as data. */
import * as t from 'io-ts'
import { type DataOf, document, keys } from '../print/document.ts'

const BuiltImage = keys(
  {
    name: [t.string, 'name of the image or service'],
    names: [t.readonlyArray(t.string), 'all names under which it was pushed or stored'],
    cached: [t.boolean, 'whether it was in the registry already, so nothing was built'],
  },
  {
    image: [t.string, 'reference to deploy, by digest; absent when the image has no name'],
    digest: [t.string, 'digest of the image'],
  },
)

export const BuiltImages = document('build', 'The images that were built.', {
  images: [t.readonlyArray(BuiltImage), 'in the order of the file'],
})
export type BuiltImages = DataOf<typeof BuiltImages>
