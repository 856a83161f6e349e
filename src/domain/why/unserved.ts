/** Ingresses that no controller serves. */
import { hasAddress, ingressClassOf } from '../cluster/ingress.ts'
import { listAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, labelOf } from '../cluster/live.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { grouped } from '../object/grouped.ts'
import { listed } from '../text/listed.ts'
import type { Cause } from './cause.ts'

const hostsOf = (ingress: ClusterObject): ReadonlyArray<string> =>
  listAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host') ?? '*')

const objectOf = ({ metadata: { name } }: ClusterObject): string => `Ingress/${name}`

const lackOf = (wanted: string | undefined, classes: ReadonlyArray<string>): string | undefined => {
  if (wanted === undefined) return classes.length > 0 ? undefined : 'the cluster has no Ingress class'
  return classes.includes(wanted) ? undefined : `the Ingress class "${wanted}" does not exist`
}

/**
 * One cause for all that lack the same. `classes`: all of the cluster. A few controllers go by the name of a class
 * alone, but they do set an address.
 */
export const unservedIngresses = (
  ingresses: ReadonlyArray<ClusterObject>,
  classes: ReadonlyArray<string>,
): ReadonlyArray<Cause> => {
  const without = grouped(
    ingresses.filter((ingress) => !hasAddress(ingress)),
    (ingress) => lackOf(ingressClassOf(ingress), classes) ?? '',
  )
  return [...without].flatMap(([lack, alike]): ReadonlyArray<Cause> => {
    const [first] = alike
    if (lack === '' || first === undefined) return []
    const names = alike.map((ingress) => labelOf(ingress, SERVICE_LABEL) ?? objectOf(ingress))
    return [
      {
        code: 'DT3195',
        subject: [...new Set(names)].join(', '),
        message: `${lack}, so nothing serves ${listed(alike.flatMap(hostsOf))}`,
        help:
          classes.length === 0
            ? 'public addresses answer only where an Ingress controller is installed: ask a cluster administrator'
            : `use --ingress-class ${classes.join(' or ')}`,
        next: ['kubectl', 'get', 'ingressclasses'],
        object: objectOf(first),
        isFinal: false,
      },
    ]
  })
}
