/** Counters of requests, as Prometheus reads them. */
import type { ServedRequest } from '../adapters/api-server/app.ts'

type Totals = { count: number; seconds: number }

const lineOf = (name: string, labels: Readonly<Record<string, string>>, value: number): string => {
  const written = Object.entries(labels).map(([key, text]) => `${key}="${text}"`)
  return `${name}{${written.join(',')}} ${value}\n`
}

/** Routes, methods and statuses are few, so the text stays short however many requests there are. */
export const requestMetrics = () => {
  const byKind = new Map<string, Totals & { readonly labels: Readonly<Record<string, string>> }>()
  return {
    add: ({ ms, route, status }: ServedRequest): void => {
      const key = `${route} ${status}`
      const found = byKind.get(key) ?? { labels: { route, status: String(status) }, count: 0, seconds: 0 }
      found.count += 1
      found.seconds += ms / 1000
      byKind.set(key, found)
    },
    text: (): string => {
      const all = [...byKind.values()]
      const [total, seconds] = ['devtool_requests_total', 'devtool_request_seconds_total']
      return [
        `# TYPE ${total} counter\n`,
        ...all.map(({ count, labels }) => lineOf(total, labels, count)),
        `# TYPE ${seconds} counter\n`,
        ...all.map(({ labels, seconds: spent }) => lineOf(seconds, labels, spent)),
        '# TYPE process_resident_memory_bytes gauge\n',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}\n`,
      ].join('')
    },
  }
}
