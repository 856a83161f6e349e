/** The public addresses of a plan. */
import { partition } from './action.ts'
import type { Plan } from './plan.ts'

/** In file order, each address once: https where the Ingress has TLS; the path is shown unless it is `/`. */
export const endpointsOf = ({ actions }: Plan): ReadonlyArray<string> => {
  const urls = partition(actions).Apply.flatMap(({ object }) => {
    if (object.kind !== 'Ingress') return []
    const { rules, tls } = object.spec
    const scheme = tls === undefined ? 'http' : 'https'
    return rules.flatMap(({ host, http: { paths } }) => {
      const own = paths.map(({ path }) => path).filter((path) => path !== '/')
      return own.length === paths.length ? own.map((path) => `${scheme}://${host}${path}`) : [`${scheme}://${host}`]
    })
  })
  return [...new Set(urls)]
}
