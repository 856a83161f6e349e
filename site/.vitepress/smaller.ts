/** Less to transfer before a page is shown: what every page loads, without what none of them uses. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PurgeCSS } from 'purgecss'
import { minify } from 'terser'

/**
 * What all pages share, once more: the default leaves 4 % of it. For the scripts of single pages that takes minutes and gains
 * nothing. They keep their names, since they do what they did.
 */
export const minifyShared = async (folder: string): Promise<void> => {
  const chunks = join(folder, 'assets/chunks')
  for (const name of readdirSync(chunks).filter((file) => /^(?:framework|theme)\..*\.js$/.test(file))) {
    const given = readFileSync(join(chunks, name), 'utf8')
    const { code } = await minify(given, { module: true, ecma: 2020, compress: { passes: 3 } })
    writeFileSync(join(chunks, name), code ?? given)
  }
}

/**
 * Of the theme's styles, those that a name in a page or a script can select: two thirds. The file is named by its content
 * again, since browsers keep it.
 */
export const keepUsedStyles = async (folder: string): Promise<void> => {
  const assets = join(folder, 'assets')
  const [name, ...more] = readdirSync(assets).filter((file) => file.endsWith('.css'))
  if (name === undefined || more.length > 0) throw new Error('the site has one stylesheet')
  const [purged] = await new PurgeCSS().purge({
    content: [join(folder, '*.html'), join(assets, '**/*.js')],
    css: [join(assets, name)],
    keyframes: true,
    variables: true,
  })
  const css = purged?.css ?? ''
  const renamed = `style.${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  rmSync(join(assets, name))
  writeFileSync(join(assets, renamed), css)
  for (const page of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
    const html = readFileSync(join(folder, page), 'utf8')
    writeFileSync(join(folder, page), html.replaceAll(name, renamed))
  }
}
