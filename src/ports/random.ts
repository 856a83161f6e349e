/** Unpredictable bytes. */
export type Random = { readonly bytes: (count: number) => Uint8Array }
