/** Recognises variables whose values should not be shown or stored in plain text. */

const credential =
  /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)S?$|(?:^|_)(?:PW|PASS|PWD)$/i

const isSwitch = /^(?:yes|no|true|false|on|off|[0-9])$/i

/** Judged by its name, unless the value is empty or merely a switch. */
export const looksLikeCredential = (name: string, value: string): boolean =>
  value !== '' && !isSwitch.test(value) && credential.test(name) && name.toUpperCase() !== 'PWD'
