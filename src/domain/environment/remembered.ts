/**
 * Settings of a deploy that the next one of the environment uses, unless a flag, a variable or the context sets them.
 */
import * as t from 'io-ts'
import { visible } from '../text/visible.ts'

export const RememberedSettings = t.readonly(
  t.partial({ domain: t.string, ingressClass: t.string, tlsSecret: t.string }),
)
export type RememberedSettings = t.TypeOf<typeof RememberedSettings>

const titles = { domain: 'domain', ingressClass: 'ingress class', tlsSecret: 'TLS secret' } as const
const flags = { domain: '--domain', ingressClass: '--ingress-class', tlsSecret: '--tls-secret' } as const
const names = ['domain', 'ingressClass', 'tlsSecret'] as const

/** The settings that are recorded. */
export const rememberedOf = (settings: RememberedSettings): RememberedSettings =>
  Object.fromEntries(names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])))

const shown = (value: string | undefined): string => (value === undefined ? 'none' : visible(value))

/**
 * A line for each setting that comes from the last deploy, or differs from it. `told`: from flags, variables and the
 * context; `used`: in effect for this deploy.
 */
export const rememberedTexts = (
  last: RememberedSettings,
  told: RememberedSettings,
  used: RememberedSettings,
): ReadonlyArray<string> =>
  names.flatMap((name) => {
    const before = last[name]
    if (before === undefined) return []
    if (used[name] !== before) return [`${titles[name]} ${shown(used[name])}; the last deploy used ${shown(before)}`]
    return told[name] === undefined
      ? [`${titles[name]} ${shown(before)}, as in the last deploy; ${flags[name]} '' forgets it`]
      : []
  })
