/** Applications whose image runs build, and what comes of them. */
import * as assert from 'uvu/assert'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { done } from '../../contract/cluster-world.ts'
import type { CommandResult } from './command.ts'
import type { PlatformLab } from './installed-platform.ts'
import { fresh } from './platform-world.ts'

/** `build`: further lines of `build`. */
export const application = (name: string, ...build: ReadonlyArray<string>) => ({
  Dockerfile: `FROM busybox\nCOPY page /www/index.html\nRUN echo ${name} >>/www/index.html && sleep 4\n`,
  // The registry has what earlier tests built.
  page: `this is ${fresh(name)}\n`,
  'compose.yaml': [
    `name: ${name}`,
    'services:',
    '  web:',
    '    build:',
    ...['context: .', ...build].map((line) => `      ${line}`),
    '    command: busybox httpd -f -p 8080 -h /www',
    '    ports: [8080]',
    '    stop_grace_period: 1s',
    '',
  ].join('\n'),
})

export const said = ({ stderr, stdout }: CommandResult): string => `${stdout}${stderr}`

/** What the Deployment of the service runs, after it was ready. */
export const deployed = async (
  { cluster, registry }: PlatformLab,
  namespace: string,
  name: string,
): Promise<string> => {
  const { items } = await done(cluster.list({ resource: resources.Deployment, namespace }))
  const image = textAt(items[0], 'spec', 'template', 'spec', 'containers', 0, 'image') ?? ''
  const [, path, digest] = /^[^/]+\/(.*)@(sha256:[0-9a-f]{64})$/.exec(image) ?? []
  assert.match(path ?? '', `${name}-web`)
  const accept = 'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json'
  const there = await fetch(`http://${registry}/v2/${path}/manifests/${digest}`, { headers: { accept } })
  assert.is(there.status, 200, image)
  return image
}
