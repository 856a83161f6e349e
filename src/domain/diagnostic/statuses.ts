/** The exit status of each code. The build inlines them here without the texts, which only `explain` needs. */
import { codes } from './codes.ts'

export const statuses: Readonly<Record<string, { readonly status: number }>> = Object.fromEntries(
  Object.entries(codes).map(([code, { status }]) => [code, { status }]),
)
