const page = (text: string, link: string) => ({ text, link: `/${link}` })

export const nav = [
  page('Tutorial', 'tutorial'),
  page('Playground', 'playground'),
  { ...page('Codes', 'errors'), activeMatch: '^/(?:errors|DT\\d+)$' },
  page('Compose fields', 'compose'),
]

export const sidebar = [
  {
    text: 'Start',
    items: [
      page('First ten minutes', 'tutorial'),
      page('Overview', 'overview'),
      page('Playground', 'playground'),
      page('Examples', 'examples'),
      page('Coming from another tool', 'coming-from'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('The dialect', 'dialect'),
      page('Images', 'images'),
      page('Developing in the cluster', 'up'),
      page('File synchronisation', 'sync'),
      page('Golden files and GitOps', 'goldens'),
      page('In CI and before a commit', 'ci'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Compose fields', 'compose'),
      page('Manifest', 'manifest'),
      page('Codes', 'errors'),
      page('JSON documents', 'json'),
    ],
  },
  {
    text: 'Platform',
    items: [page('The platform', 'platform'), page('Security', 'security'), page('API', 'api')],
  },
  {
    text: 'Project',
    items: [
      page('Performance', 'performance'),
      page('Reliability', 'reliability'),
      page('Architecture', 'architecture'),
      page('The reference, row by row', 'reference'),
      page('Contributing', 'contribute'),
      page('What a change touches', 'contributing'),
      page('Adding a field', 'adding-a-field'),
      page('Adding an action', 'adding-an-action'),
      page('Making a release', 'release'),
    ],
  },
]
