/**
 * The variables of a run: those that the user entered, and with the lowest precedence those of the namespace and the
 * platform.
 */
import { parsedJson, textsAt } from '../../../domain/cluster/json.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { VARIABLES_SECRET, variablesIn } from '../../../domain/platform/variables.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import { answered } from '../controller/acting.ts'

export type RunValues = { readonly given: ReadonlyMap<string, string>; readonly platform: ReadonlyMap<string, string> }

/** Credentials of git are only for the container that clones. */
const isForGit = (name: string): boolean => name.startsWith('DEVTOOL_GIT_')

/** `mounted`: the content of the run's Secret, if there is one. */
export const valuesOf = async (
  cluster: Cluster,
  namespace: string,
  mounted: string | undefined,
): Promise<RunValues> => {
  const own = await answered(cluster.get({ resource: resources.Secret, namespace, name: VARIABLES_SECRET }))
  const json = parsedJson(mounted ?? '')
  const all = [...textsAt(json, 'shared'), ...variablesIn(own?.value).values]
  return { given: textsAt(json, 'given'), platform: new Map(all.filter(([name]) => !isForGit(name))) }
}
