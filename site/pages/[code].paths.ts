import { deflateRawSync } from 'node:zlib'
import { translate } from '../../dist/index.js'
import { type CodePage, codePages } from '../.vitepress/codes.ts'

const linkFor = (compose: string): string =>
  `/playground#v1.${deflateRawSync(JSON.stringify({ 'compose.yaml': compose })).toString('base64url')}`

/** The first example of a page gets a link, if it shows the same in the playground. */
const withLink = ({ body, code }: CodePage): string =>
  body.replace(/```yaml\n([^]*?)```\n/, (block, compose: string) => {
    const { diagnostics } = translate({ files: { 'compose.yaml': compose } })
    return diagnostics.some((one) => one.code === code)
      ? `${block}\n[Open in the playground](${linkFor(compose)})\n`
      : block
  })

export default {
  paths: () =>
    codePages().map((page) => ({
      params: { code: page.code },
      content: `# ${page.code}: ${page.title}\n${withLink(page)}`,
    })),
}
