/** The exit status of each code. The build writes them down here without the texts, which only `explain` prints. */
import { codes } from './codes.ts'

export const statuses: Readonly<Record<string, { readonly status: number }>> = Object.fromEntries(
  Object.entries(codes).map(([code, { status }]) => [code, { status }]),
)
