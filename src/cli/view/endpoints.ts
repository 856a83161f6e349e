/** `endpoints`: public addresses as a table, data, Markdown or one per line. */
import { type EndpointAddress, EndpointList } from '../../domain/environment/endpoints.ts'
import { printTable } from '../../domain/print/table.ts'
import { visible } from '../../domain/text/visible.ts'
import type { EndpointForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

/** Brackets and spaces would end a Markdown link. */
const inLink = (url: string): string => url.replace(/[()<>\s]/g, encodeURIComponent)

const toMarkdown = ({ endpoints, environment }: EndpointList): string => {
  const lines = endpoints.map(({ answers, service, url }) => {
    const link = inLink(visible(url))
    return `- ${visible(service)}: [${link}](${link})${answers ? '' : ' (does not answer)'}`
  })
  return `### Endpoints of ${environment}\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}\n`
}

/** One address per line, without checking whether they respond. */
export const showUrls = ({ endpoints }: { readonly endpoints: ReadonlyArray<EndpointAddress> }): RenderedView => ({
  output: endpoints.map(({ url }) => `${visible(url)}\n`).join(''),
})

export const showEndpoints = (form: Exclude<EndpointForm, 'name'>, list: EndpointList): RenderedView => {
  const { endpoints, environment } = list
  if (isData(form)) return { output: printData(form, EndpointList, list) }
  if (form === 'md') return { output: toMarkdown(list) }
  if (endpoints.length === 0) {
    const help = '`devtool forward SERVICE PORT` reaches a private port'
    return { said: [`environment ${environment} has no public addresses; ${help}`] }
  }
  const cells = endpoints.map(({ answers, developedBy, developedSince, reason = '', remark, service, status, url }) => [
    service,
    url,
    [answers ? `yes, ${status}` : reason, remark].filter(Boolean).join(', ') +
      (developedBy === undefined ? '' : ` (developed by ${developedBy} since ${developedSince})`),
  ])
  const isBroken = endpoints.some(({ answers, status }) => !answers && status !== undefined)
  const said = isBroken ? ['`devtool why` says what is wrong with the services behind the Ingress'] : []
  return { output: printTable(['Service', 'URL', 'Answers'], cells), said }
}
