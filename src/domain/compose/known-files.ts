/** File names that say how a project is deployed, in order of preference. */

export const composeNames = [
  'devtool-compose.yml',
  'devtool-compose.yaml',
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
]
export const chartFolders = ['chart', 'charts', 'helm/chart', 'helm/charts']
export const manifestFolders = ['manifests', 'kubernetes', 'k8s']
export const kustomizations = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
