/** The sections that make a file a devtool manifest, whatever its name. */
const keys: ReadonlySet<string> = new Set(['build', 'deploy', 'dependencies', 'destroy', 'dev', 'external', 'forward'])

export const isManifestKey = (key: string): boolean => keys.has(key)
