/** The addresses of this machine, for names that the resolver need not be asked for, or does not know everywhere. */
type Address = { readonly address: string; readonly family: number }
type Found = (failure: null, address: string | Array<Address>, family?: number) => void

/** A lookup as Node's sockets call it. */
export const loopback = (_name: string, { all }: { readonly all?: boolean | undefined }, found: Found): void => {
  if (all === true)
    found(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  else found(null, '127.0.0.1', 4)
}
