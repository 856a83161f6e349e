/**
 * Files of this machine that must not become a ConfigMap, since everybody with read access to the namespace can read
 * those.
 */
import { isCredentialName } from '../../text/credential.ts'
import { secretType } from '../../text/secret-file-types.ts'
import { secretIn } from '../../text/secret-text.ts'

const keyFiles =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[._]netrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.s3cfg|\.boto|\.git-credentials|\.dockercfg|\.dockerconfigjson|\.htpasswd|htpasswd|shadow|kubeconfig|\.terraformrc|\.ssh|\.gnupg|\.aws|\.kube|\.password-store|\.[\w-]*token)$/
const keyStores = /\.(?:p12|pfx|jks|jceks|bcfks|jwk|keystore|kdbx?|ppk|keytab|gpg|tfstate|ovpn|kubeconfig)$/

/** Files whose name may say what they contain; the name of any other file says what it does. */
const dataFiles = /^[^.]+(?:\.(?:txt|json|ya?ml|env|key|pem|pass|secret))?$/

const isNamedCredential = (name: string): boolean => {
  if (keyFiles.test(name) || keyStores.test(name)) return true
  const [stem = ''] = name.split('.')
  return dataFiles.test(name) && isCredentialName(stem.replaceAll('-', '_'))
}

const isOfGit = (name: string): boolean => name.endsWith('.git') || name === '.hg' || name === '.svn'

/** Some file systems do not distinguish upper case from lower case. */
const segmentsOf = (path: string): ReadonlyArray<string> => path.toLowerCase().split('/')

/** Whether the project itself is inside a folder of git's. A folder next to `repository.git` may well be a worktree. */
export const isInGit = (project: string): boolean => segmentsOf(project).includes('.git')

/** Why a path is left out regardless of its content: because of a folder on the way, or its own name. */
export const whyByPath = (path: string): string | undefined => {
  const names = segmentsOf(path)
  if (names.some(isOfGit)) return 'of git'
  if (names.some((name) => name.startsWith('.env'))) return 'variables'
  return names.some(isNamedCredential) ? 'a credential' : undefined
}

/** Byte order marks. */
const mark = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/

/**
 * Why a file is left out for what it holds. Names and keys are ASCII, so that without zeros any encoding can be
 * searched for them, UTF-16 as well.
 */
export const whyByContent = (bytes: Uint8Array): string | undefined => {
  const text = new TextDecoder('latin1').decode(bytes)
  return secretType(bytes) ?? secretIn(text.replaceAll('\0', '').replace(mark, ''))
}
