const sectionOf = (text: string, isWanted: (heading: string) => boolean): string | undefined =>
  text.split(/^(?=## )/m).find((section) => isWanted(section.split('\n', 1)[0] ?? ''))

/** The section of CHANGELOG.md about a version, below the version alone. */
export const changesOf = (text: string, version: string): string => {
  const own = sectionOf(text, (heading) => heading.split(/[\s()]+/).includes(version))
  if (own === undefined) throw new Error(`CHANGELOG.md has no section about ${version}`)
  return `## ${version}\n${own.slice(own.indexOf('\n') + 1).trimEnd()}\n`
}

const limits = '## What one machine cannot make'

/** The notes of a release: its changes, and what it lacks according to docs/release.md. */
export const notesOf = (changes: string, guide: string, version: string): string => {
  const own = sectionOf(guide, (heading) => heading === limits)
  if (own === undefined) throw new Error(`docs/release.md has no section "${limits}"`)
  return `${changesOf(changes, version)}\n${own.trim()}\n`
}
