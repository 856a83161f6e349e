/** What the warning about an application of Argo CD advises, typed where there is one: the kind is that of Argo CD. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { advisedWith } from '../support/cli/golden-commands.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'
import { until } from '../support/process/until.ts'

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: applications.argoproj.io}
spec:
  group: argoproj.io
  names: {kind: Application, plural: applications}
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
const application = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\n'

const paused = async (space: Space, { context }: Lab): Promise<void> => {
  const { must, type } = shellIn({ home: space.folder, context })
  const [kind, own] = [space.write('kind.yaml', definition), space.write('shop.yaml', application)]
  const namespace = `--namespace ${space.namespace}`
  try {
    await must(`kubectl apply -f ${kind} && kubectl wait --for condition=established --timeout 120s -f ${kind}`)
    await until('the kind is served', async () => (await type(`kubectl apply -f ${own} ${namespace}`)).status === 0)
    for (const line of advisedWith.argo) await must(line.replace('--namespace argocd', namespace))
    const { stdout } = await must(`kubectl get application shop ${namespace} -o yaml`)
    assert.match(stdout, 'argocd.argoproj.io/skip-reconcile: "true"')
  } finally {
    await must(`kubectl delete -f ${kind}`)
  }
}

const test = suite('advice about Argo CD')

await scenarios(test, [{ title: 'an application of Argo CD is paused as advised', space: 'argo', run: paused }])

test.run()
