/** The content of a namespace, in a few words. */

import type { EnvironmentNow } from '../../domain/platform/api/service-routes.ts'
import { SLEEPING } from '../../domain/rollout/asleep.ts'

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** `3 services, 1 with a problem, 1 in development` */
export const summaryOf = ({ causes, services }: EnvironmentNow): string => {
  const isBroken = new Set(causes.map(({ service }) => service))
  const broken = services.filter(({ service, state }) => state === 'failed' || isBroken.has(service)).length
  const developed = services.filter(({ state }) => state === 'developed').length
  return [
    plural(services.length, 'service'),
    ...(broken === 0 ? [] : [`${broken} with a problem`]),
    ...(developed === 0 ? [] : [`${developed} in development`]),
  ].join(', ')
}

/** An image without its registry and digest: `ghcr.io/acme/web:1@sha256:…` → `acme/web:1`. */
export const shortImage = (image: string): string => {
  const [name = ''] = image.split('@')
  const parts = name.split('/')
  const [first = ''] = parts
  const hasRegistry = parts.length > 1 && (/[.:]/.test(first) || first === 'localhost')
  return hasRegistry ? parts.slice(1).join('/') : name
}

type Services = ReadonlyArray<{ readonly reason: string }>

/** Whether `namespace sleep`, or the platform, has stopped something in it. */
export const sleeps = (environments: ReadonlyArray<{ readonly services: Services }>): boolean =>
  environments.some(({ services }) => services.some(({ reason }) => reason === SLEEPING))

/** In the largest unit that has no rest. */
export const spanOf = (seconds: number): string => {
  const [size, name] = (
    [
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([of]) => seconds % of === 0) ?? [1, 'second']
  return plural(seconds / size, name)
}

const words = new Intl.RelativeTimeFormat('en')

/** In the largest unit of which at least one is over: `6 days ago`. */
export const agoOf = (since: string, now: number): string => {
  const seconds = Math.floor((now - Date.parse(since)) / 1000)
  const [size, unit] = (
    [
      [31_536_000, 'year'],
      [2_592_000, 'month'],
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([of]) => seconds >= of) ?? [1, undefined]
  return unit === undefined ? 'just now' : words.format(-Math.floor(seconds / size), unit)
}

type Part = { readonly text: string; readonly isCode: boolean }

/** Text with commands between backticks, without the backticks. One that is not closed is text. */
export const proseOf = (text: string): ReadonlyArray<Part> =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((part) => part.text !== '')
