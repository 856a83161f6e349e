/** Bytes that nobody can guess. */
export type Random = { readonly bytes: (count: number) => Uint8Array }
