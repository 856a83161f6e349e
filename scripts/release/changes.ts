/** The section of CHANGELOG.md about a version. */
export const changesOf = (text: string, version: string): string => {
  const sections = text.split(/^(?=## )/m)
  const own = sections.find((section) => section.split('\n', 1)[0]?.includes(version) === true)
  if (own === undefined) throw new Error(`CHANGELOG.md has no section about ${version}`)
  return `${own.trim()}\n`
}
