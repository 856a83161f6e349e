/**
 * Programs that tests run against a cluster: kubectl of the machine, and Helm, built from its Go module unless it is
 * given.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const module = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const buildMs = 1_800_000

/** The path of $HELM, or of one that is built once and kept, which takes minutes and needs Go. */
const helmPath = async (): Promise<string> => {
  const given = process.env['HELM'] ?? ''
  if (given !== '') return given
  const path = resolve('node_modules/.cache/devtool/helm/helm')
  if (existsSync(path)) return path
  mkdirSync(dirname(path), { recursive: true })
  process.stdout.write(`building ${module}\n`)
  const env = { ...process.env, GOBIN: dirname(path), GOFLAGS: '-mod=mod', CGO_ENABLED: '0' }
  // In a folder without a go.mod, or Go would read the requirements of that module.
  await run('go', ['install', '-trimpath', module], { cwd: dirname(path), env, timeout: buildMs })
  return path
}

/** A PATH on which `kubectl` ($KUBECTL, else that of the machine) and `helm` are found. */
export const pathWithTools = async (): Promise<string> => {
  const kubectl = process.env['KUBECTL'] ?? ''
  const folders = [kubectl === '' ? [] : [dirname(kubectl)], dirname(await helmPath()), process.env['PATH'] ?? '']
  return folders.flat().join(':')
}
