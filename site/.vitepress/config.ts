import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { extend, slugify } from './markdown.ts'
import { nav, sidebar } from './navigation.ts'
import { withPolicy } from './policy.ts'
import { attached, routeOf } from './routes.ts'
import { sectionsOf } from './search.ts'
import { keepUsedStyles, minifyShared } from './smaller.ts'

const ownFile = (path: string): string => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
const root = join(import.meta.dirname, '../..')
const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M8 10l6 6-6 6M16 23h9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`

export default defineConfig({
  title: 'devtool',
  description,
  lang: 'en',
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: '..',
  srcExclude: ['CHANGELOG.md', 'test/**', 'examples/*/**', 'site/*.md', 'release/**', '.*/**'],
  rewrites: routeOf,
  outDir: 'dist',
  cacheDir: '../.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  ignoreDeadLinks: Object.values(attached).map((file) => `/${file}`),
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    anchor: { slugify },
    image: { lazyLoading: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: extend,
    codeTransformers: [
      {
        pre: (node) => void (node.properties['tabindex'] = '0'),
        // Of a session, what is typed.
        span(node, line) {
          if (this.source.split('\n')[line - 1]?.startsWith('$ ') === true) this.addClassToHast(node, 'typed')
        },
      },
    ],
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    nav,
    sidebar,
    outline: { level: 2, label: 'On this page' },
    search: { provider: 'local', options: { miniSearch: { _splitIntoSections: sectionsOf } } },
    externalLinkIcon: true,
    footer: { message: 'Apache-2.0' },
  },
  vite: {
    resolve: {
      // Pages are outside of the folder that has these packages.
      alias: [
        { find: /^vue$/, replacement: ownFile('vue/dist/vue.runtime.esm-bundler.js') },
        {
          find: /^vue\/server-renderer$/,
          replacement: ownFile('@vue/server-renderer/dist/server-renderer.esm-bundler.js'),
        },
      ],
    },
    // What neither the theme nor these pages use of Vue.
    define: {
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    worker: { format: 'es' },
    build: { chunkSizeWarningLimit: 1_000, target: 'es2022' },
  },
  transformHtml: withPolicy,
  buildEnd: async ({ outDir }) => {
    for (const [file, name] of Object.entries(attached)) copyFileSync(join(root, file), join(outDir, name))
    await minifyShared(outDir)
    await keepUsedStyles(outDir)
  },
})
