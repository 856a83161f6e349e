/** Formats of strings and numbers in Kubernetes, with the message for a violation. */

export type Messages = ReadonlyArray<string>
export const when = (isWrong: boolean, message: string): Messages => (isWrong ? [message] : [])

const repeated = (items: ReadonlyArray<string | number>): ReadonlyArray<string | number> =>
  items.filter((item, index) => items.indexOf(item) !== index)
export const each = (path: string, what: string, items: ReadonlyArray<string | number>): Messages =>
  repeated(items).map((item) => `${path}: ${what} ${item} twice`)

export const label = (text: string): boolean => text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)
export const isDns1035 = (text: string): boolean => label(text) && /^[a-z]/.test(text)
export const subdomain = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text)
export const qualified = (text: string): boolean => {
  const parts = text.split('/')
  const [name = '', prefix] = parts.toReversed()
  const isName = name.length <= 63 && /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)
  return isName && parts.length <= 2 && (prefix === undefined || subdomain(prefix))
}
export const labelValue = (text: string): boolean => text === '' || (!text.includes('/') && qualified(text))
export const port = (n: number | undefined): boolean => n === undefined || (Number.isInteger(n) && n > 0 && n <= 65_535)
export const insidePath = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..')

const factors: ReadonlyMap<string, number> = new Map([
  ...Array.from('numkMGTPE', (suffix, i): [string, number] => [suffix, 1000 ** (i - 3 + (i > 2 ? 1 : 0))]),
  ...Array.from('KMGTPE', (suffix, i): [string, number] => [`${suffix}i`, 1024 ** (i + 1)]),
])
/** The numeric value of a quantity. */
export const amount = (quantity: string): number => {
  const [, digits = '', suffix = ''] = /^(.*?)([KMGTPE]i|[numkMGTPE])?$/.exec(quantity) ?? []
  return Number(digits) * (factors.get(suffix) ?? 1)
}
