/** Recognises variables whose values should not be shown or stored in plain text. */

const credential =
  /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|ERLANG_COOKIE|(?:ACCESS|API|ENCRYPTION|PRIVATE|SECRET|SIGNING)_?KEY)S?$|SECRET_?KEY_?BASE$|(?:^|_)(?:PW|PASS|PWD)$/i

export const isCredentialName = (name: string): boolean => credential.test(name)

export const isSwitch = (value: string): boolean => /^(?:yes|no|true|false|on|off|[0-9])$/i.test(value)

/** The path of a key file, rather than a key. */
const isPath = /^(?:\.{0,2}\/)?(?:[\w.@-]+\/)+[\w.@-]+\.\w+$|^(?:\/[\w.@-]+){2,}\/?$/

/** Judged by its name, unless the value is empty, a path or merely a switch. */
export const looksLikeCredential = (name: string, value: string): boolean =>
  value !== '' && !isSwitch(value) && !isPath.test(value) && isCredentialName(name) && name.toUpperCase() !== 'PWD'

/** `NAME=value` or `NAME: value`, anywhere in a line: the name, and the first word of the value. */
const assignment = /([\w.-]{1,100})["']?[ \t]{0,9}[=:][ \t]{0,9}["']?([^\s"',}\]]{0,200})/g

/** `$NAME`, `${NAME`, `${NAME:?…` and `${NAME:-` have no value in themselves; a list or mapping is none. */
const withoutValue = /^(?:\$(?:\w+|\{\w+(?::?\?.*|:?-)?)$|[[{&*!|>])/

/** Whether a line of a file shows the value of a credential. */
export const showsCredential = (line: string): boolean => {
  for (const [, name = '', value = ''] of line.matchAll(assignment)) {
    if (!withoutValue.test(value) && looksLikeCredential(name, value)) return true
  }
  return false
}
