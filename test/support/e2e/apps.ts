/** Small services for scenarios, of an image that every cluster can pull. */

/** Serves `text` on port 8080. `more`: further lines of the service. */
export const page = (text: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  'image: busybox:latest',
  `command: ["sh", "-c", "mkdir -p /www; echo ${text} >/www/index.html; trap exit TERM; httpd -f -p 8080 -h /www & wait"]`,
  'healthcheck: {http: {path: /, port: 8080}, interval: 1s}',
  'stop_grace_period: 2s',
  ...more,
]

/** Runs, but never becomes healthy. */
export const neverReady: ReadonlyArray<string> = [
  'image: busybox:latest',
  'command: ["sh", "-c", "trap exit TERM; sleep 3600 & wait"]',
  'healthcheck: {test: ["CMD", "false"], interval: 1s}',
  'stop_grace_period: 1s',
]

/** Runs to completion. */
export const job = (script: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  'image: busybox:latest',
  `command: ["sh", "-c", "${script}"]`,
  'restart: "no"',
  ...more,
]

/** A Compose file. `rest`: further top-level lines. */
export const compose = (
  services: Readonly<Record<string, ReadonlyArray<string>>>,
  ...rest: ReadonlyArray<string>
): string => {
  const lines = Object.entries(services).flatMap(([name, fields]) => [
    `  ${name}:`,
    ...fields.map((field) => `    ${field}`),
  ])
  return ['services:', ...lines, ...rest, ''].join('\n')
}
