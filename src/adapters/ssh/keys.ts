/** Pairs of Ed25519 keys in OpenSSH's format. */
import ssh2 from 'ssh2'

/** ssh2 drops a leading zero byte of a key, one time in 256, and cannot read the pair that it writes then. */
export const newPair = (): ReturnType<typeof ssh2.utils.generateKeyPairSync> => {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519')
    const isRead = [pair.private, pair.public].every((text) => !(ssh2.utils.parseKey(text) instanceof Error))
    if (isRead) return pair
  }
}
