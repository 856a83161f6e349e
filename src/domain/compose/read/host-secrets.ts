/** Files of this machine that do not belong into a ConfigMap, which everybody who may read the namespace can read. */
import { looksLikeCredential } from '../../text/credential.ts'
import { textOf } from '../file-content.ts'

const keyFiles =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.dockercfg|\.htpasswd)$/
const keyStores = /\.(?:p12|pfx|jks|keystore|kdbx)$/i

/** Of other files the name says what they do, not what they hold. */
const dataFiles = /^[^.]+(?:\.(?:txt|json|ya?ml|env|key|pem|pass|secret))?$/i

const isNamedCredential = (name: string): boolean => {
  if (keyFiles.test(name) || keyStores.test(name)) return true
  const [stem = ''] = name.split('.')
  return dataFiles.test(name) && looksLikeCredential(stem.replaceAll('-', '_'), name)
}

/** Why a file or folder is left out whatever it holds. */
export const whyByName = (name: string): string | undefined => {
  if (name === '.git') return 'of git'
  if (name.startsWith('.env')) return 'variables'
  return isNamedCredential(name) ? 'a credential' : undefined
}

const assignment = /^\s*(?:export\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*[=:]/

/** The placeholder of a value that is not in the file. */
const isReference = (value: string): boolean => /^[$<%{/(&*]|\(|\{\{/.test(value)

const longestLine = 1000

const isCredentialLine = (line: string): boolean => {
  const [lead = '', name = ''] = line.length > longestLine ? [] : (assignment.exec(line) ?? [])
  const value = line.slice(lead.length).trimStart().replace(/^["']/, '')
  const end = value.search(/["',;\s]/)
  const word = end === -1 ? value : value.slice(0, end)
  return word !== '' && !isReference(word) && looksLikeCredential(name.replaceAll(/[.-]/g, '_'), word)
}

/** Why a file is left out for what it holds. */
export const whyByContent = (bytes: Uint8Array): string | undefined => {
  const text = textOf(bytes)
  if (text === undefined) return undefined
  if (text.includes('PRIVATE KEY-----')) return 'a private key'
  const at = text.split('\n').findIndex(isCredentialLine)
  return at === -1 ? undefined : `a credential in line ${at + 1}`
}
