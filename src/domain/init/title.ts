/** What a manifest deploys, in words. */
import type { DeployMethod } from './guess.ts'

export const methodTitle = (way: DeployMethod): string => {
  switch (way._tag) {
    case 'Compose':
      return `the services of ${way.file}`
    case 'Chart':
      return `the Helm chart in ${way.folder}`
    case 'Manifests':
      return `the manifests in ${way.folder}`
    case 'Images':
      return 'one service for each Dockerfile'
    case 'Nothing':
      return 'an example'
    case 'DevOnly':
      return 'nothing'
  }
}
