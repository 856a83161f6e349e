/**
 * Compose files for benchmarks: anchors, merge keys, ports, health checks, volumes, lists and mappings as people write
 * them, and ten warnings per hundred services.
 */
const head = `name: bench
x-common: &common
  restart: unless-stopped
  environment: &environment
    LOG_LEVEL: info
    REGION: eu-west-1
  deploy:
    resources:
      limits: { cpus: "0.50", memory: 256M }
      reservations: { cpus: "0.10", memory: 64M }
x-check: &check
  interval: 10s
  timeout: 3s
  retries: 5
services:
`

const serviceOf = (index: number): string => {
  const name = `service-${index}`
  const before =
    index % 10 === 0 ? '' : `    depends_on:\n      service-${index - 1}:\n        condition: service_started\n`
  const volume = index % 5 === 0 ? `    volumes:\n      - data-${index}:/var/lib/data\n` : ''
  const warned = index % 10 === 7 ? '    mac_address: 02:42:ac:11:65:43\n' : ''
  return `  ${name}:
    <<: *common
    image: registry.example.com/team/${name}:1.${index % 100}.0
    command: ["serve", "--port", "${8000 + (index % 1000)}"]
    environment:
      <<: *environment
      SERVICE_NAME: ${name}
      DATABASE_URL: postgres://user@db-${index}.internal:5432/${name}
      FEATURES: "a,b,c"
    ports:
      - "${8000 + (index % 1000)}"
      - "${9000 + (index % 1000)}:${9000 + (index % 1000)}"
    healthcheck:
      <<: *check
      test: ["CMD", "curl", "-f", "http://localhost:${8000 + (index % 1000)}/healthz"]
    labels:
      team: team-${index % 7}
      example.com/tier: "${index % 3}"
${volume}${before}${warned}`
}

/** A Compose file with this many services. */
export const benchFile = (services: number): string => {
  const indexes = Array.from({ length: services }, (_, index) => index)
  const volumes = indexes.filter((index) => index % 5 === 0).map((index) => `  data-${index}:\n`)
  return [head, ...indexes.map(serviceOf), 'volumes:\n', ...volumes].join('')
}
