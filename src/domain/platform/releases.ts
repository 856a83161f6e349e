/** Where the users of a platform get devtool: at the address of a release that somebody published. */

/** By HTTPS, since a script from there is run, and so that a shell takes it as it is. */
export const isReleaseUrl = (url: string): boolean => /^https:\/\/[\w.:/%~+-]*[\w%~+-]$/.test(url)

/** Not a pipe: its end is a success although the download has failed. */
export const installLine = (releases: string): string =>
  `curl -fsSL ${releases}/install.sh -o install.sh && sh install.sh`
