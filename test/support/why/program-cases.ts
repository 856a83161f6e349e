/** Programs that cannot start, or whose log says what they lack. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { deployment, labelsOf, shell } from './objects.ts'

/** A program for amd64 whose dynamic linker is in no image of the tests. */
const linked =
  'f0VMRgIBAQAAAAAAAAAAAAIAPgABAAAAzABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAACAAAAAAAAAAMAAAAEAAAAsAAAAAAAAACwAEAAAAAAALAAQAAAAAAAHAAAAAAAAAAcAAAAAAAAAAEAAAAAAAAAAQAAAAUAAAAAAAAAAAAAAAAAQAAAAAAAAABAAAAAAADcAAAAAAAAANwAAAAAAAAAABAAAAAAAAAvbGliNjQvbGQtbGludXgteDg2LTY0LnNvLjIAkJCQkJCQkJCQkJCQkJCQkA=='

type FileContent = { readonly data: JsonObject } | { readonly binaryData: JsonObject }

/** A service that runs `/app/start` from a ConfigMap. */
const started = (service: string, held: FileContent): ReadonlyArray<JsonObject> => [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: service, labels: labelsOf(service) }, ...held },
  deployment(service, {
    container: { command: ['/app/start'], volumeMounts: [{ name: 'app', mountPath: '/app' }] },
    pod: { volumes: [{ name: 'app', configMap: { name: service, defaultMode: 493 } }] },
  }),
]

const retrying = (command: string): ReadonlyArray<string> => shell(`while :; do ${command}; sleep 1; done`)

export const programs: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  'script-crlf': started('script-crlf', { data: { start: '#!/bin/sh\r\nexec httpd -f -p 8000\r\n' } }),
  'script-env-crlf': started('script-env-crlf', { data: { start: '#!/usr/bin/env sh\r\nexec httpd -f -p 8000\r\n' } }),
  'script-interpreter': started('script-interpreter', { data: { start: '#!/usr/bin/bash\nexec httpd -f -p 8000\n' } }),
  'program-libc': started('program-libc', { binaryData: { start: linked } }),
  'script-in-image': [
    deployment('script-in-image', { container: { image: 'test/script:1', command: ['/app/start'] } }),
  ],
  'volume-hides': [
    deployment('volume-hides', {
      container: { command: ['/bin/httpd', '-f'], volumeMounts: [{ name: 'tools', mountPath: '/bin' }] },
      pod: { volumes: [{ name: 'tools', emptyDir: {} }] },
    }),
  ],
  'volume-hides-script': [
    deployment('volume-hides-script', {
      container: {
        command: ['sh', '/srv/app/start.sh'],
        volumeMounts: [{ name: 'app', mountPath: '/srv/app' }],
      },
      pod: { volumes: [{ name: 'app', emptyDir: {} }] },
    }),
  ],
  'folder-is-file': [deployment('folder-is-file', { container: { workingDir: '/etc/passwd' } })],
  'memory-tiny': [deployment('memory-tiny', { container: { resources: { limits: { memory: '1Mi' } } } })],
  'name-unknown': [deployment('name-unknown', { container: { command: ['wget', '-q', 'http://helthy:8000/'] } })],
  'name-unknown-loop': [
    deployment('name-unknown-loop', { container: { command: retrying('wget -q http://helthy:8000/') } }),
  ],
}
