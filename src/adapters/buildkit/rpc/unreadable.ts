/** Messages of a builder that are not valid protobuf: only the call fails. */

export class Unreadable extends Error {}

type Codec<A> = { readonly decode: (bytes: Uint8Array) => A }

/** Throws {@link Unreadable}. */
export const readMessage = <A>({ decode }: Codec<A>, bytes: Uint8Array): A => {
  try {
    return decode(bytes)
  } catch {
    throw new Unreadable('a message came that cannot be read')
  }
}
