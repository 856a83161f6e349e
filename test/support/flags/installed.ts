/** What the flags of installing a platform do: what they are told shows in the manifests that are printed. */
import { adds, behind, type Effects } from './effect.ts'
import { files } from './world.ts'

const installing = [
  ...['--domain', 'apps.example.com', '--admin', 'ann@example.com', '--image', 'r.test/platform:1'],
  ...['--oidc-issuer', 'https://login.example.com', '--oidc-client', 'devtool'],
]

export const installed: Effects = {
  ...behind(
    {
      '--domain': adds('--domain', 'other.example.com'),
      '--oidc-issuer': adds('--oidc-issuer', 'https://other.example.com'),
      '--oidc-client': adds('--oidc-client', 'other'),
      '--admin': adds('--admin', 'ben@example.com'),
      '--allow-domain': adds('--allow-domain', 'example.com'),
      '--allow-group': adds('--allow-group', 'team'),
      '--trusted-proxy': adds('--trusted-proxy', '10.0.0.0/16'),
      '--kubernetes-url': adds('--kubernetes-url', 'https://k8s.example.com:6443'),
      '--tls': adds('--tls', 'issuer=letsencrypt'),
      '--ingress-class': adds('--ingress-class', 'nginx'),
      '--registry': adds('--registry', 'r.test/team'),
      '--image': adds('--image', 'r.test/platform:2'),
    },
    [...installing, '--dry-run'],
  ),
  ...behind(
    {
      '--context': adds('--context', 'other'),
      '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
      '--loglevel': { line: ['--dry-run', '--yes'], flag: ['--loglevel', 'error'] },
      '--oidc-secret': { line: ['--yes', '--timeout', '2s'], flag: ['--oidc-secret', 'secret.txt'] },
      '--dry-run': adds('--dry-run'),
      '--yes': adds('--yes'),
      '--timeout': { line: ['--yes', '--oidc-secret', 'secret.txt', '--timeout', '4s'], flag: ['--timeout', '2s'] },
      '--progress': { line: ['--yes', '--oidc-secret', 'secret.txt', '--timeout', '2s'], flag: ['--progress', 'json'] },
    },
    installing,
    { files: { ...files, 'secret.txt': 's3cret' } },
  ),
}
