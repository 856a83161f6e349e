const sectionOf = (text: string, isWanted: (heading: string) => boolean): string | undefined =>
  text.split(/^(?=## )/m).find((section) => isWanted(section.split('\n', 1)[0] ?? ''))

/** The section of CHANGELOG.md about a version, below the version alone. */
export const changesOf = (text: string, version: string): string => {
  const own = sectionOf(text, (heading) => heading.split(/[\s()]+/).includes(version))
  if (own === undefined) throw new Error(`CHANGELOG.md has no section about ${version}`)
  return `## ${version}\n${own.slice(own.indexOf('\n') + 1).trimEnd()}\n`
}

const limits = '## What one machine cannot make'

const madeFrom = (base: string): string =>
  `The container image is made from \`${base}\`${base.includes('@sha256:') ? '' : ', as it is when the image is built'}.`

/** Links to pages of this repository lead nowhere from where notes are published: what is left are their paths. */
const withoutLinks = (text: string): string =>
  text.replace(/\[([^[\]]*)\]\((?!https?:)([^()#]*)(?:#[^()]*)?\)/g, (_, name: string, path: string) =>
    path === '' || path === name ? name : `${name} (${path})`,
  )

/** The notes of a release: its changes, what its image is made from, and what it lacks according to docs/release.md. */
export const notesOf = (changes: string, guide: string, version: string, base: string): string => {
  const own = sectionOf(guide, (heading) => heading === limits)
  if (own === undefined) throw new Error(`docs/release.md has no section "${limits}"`)
  return withoutLinks(`${changesOf(changes, version)}\n${madeFrom(base)}\n\n${own.trim()}\n`)
}
