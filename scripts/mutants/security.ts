/** Security: secrets, credentials, paths, and control sequences. */
import { type Mutant, mutantsOf } from './mutant.ts'

const proxy = ['unit/kube/proxy', 'unit/kube/proxy-passing', 'unit/labelling/request']
const registry = ['unit/registry/client', 'contract/registry', 'unit/registry/credentials']

export const security: ReadonlyArray<Mutant> = [
  ...mutantsOf(
    'domain/doctor/redact.ts',
    ['unit/doctor/doctor'],
    [
      ["key === 'command' && isList(value)", 'false'],
      ["key === 'args' && isList(value)", 'false'],
      ["key === 'annotations' && isObject(value)", 'false'],
      [
        "(key === 'env' || key === 'httpHeaders') && isList(value)) return [[key, value.map(withoutValue)]]",
        'false) return []',
      ],
      ["key === 'managedFields'", 'false'],
    ],
  ),
  ...mutantsOf(
    'domain/commands/mask.ts',
    ['unit/commands/output', 'unit/doctor/doctor'],
    [
      ['const MIN_LENGTH = 4', 'const MIN_LENGTH = 60'],
      ['text.indexOf(secret, at + 1)', '-1'],
      ['secret.length >= MIN_PART || isWhole(text, at, end)', 'true'],
      ['Math.max(last[1], end)', 'end'],
      ['start > last[1]', 'start >= last[0]'],
      ['.split(/\\r?\\n/)', ".split('never')"],
    ],
  ),
  ...mutantsOf(
    'domain/text/visible.ts',
    ['properties/text', 'properties/progress', 'unit/see/see'],
    [
      ['\\p{Bidi_Control}', ''],
      ['[\\p{Cc}', '['],
      ['\\p{Cs}]', ']'],
    ],
  ),
  ...mutantsOf(
    'domain/text/harmless.ts',
    ['properties/logs', 'unit/logs/line'],
    [
      [".join('')}${RESET}`", ".join('')}`"],
      ["withoutMarks(parts.map((part, index) => (index % 2 === 1 ? '' : withTabs(part))).join(''))", 'line'],
    ],
  ),
  ...mutantsOf(
    'domain/commands/lines.ts',
    ['unit/commands/output'],
    [
      ["(sequence.match(colors) === null ? '' : sequence)", 'sequence'],
      ['const MAX_LENGTH = 64 * 1024', 'const MAX_LENGTH = 64 * 1024 * 1024'],
    ],
  ),
  ...mutantsOf('adapters/kube/proxy/headers.ts', proxy, [
    ["['authorization', 'expect', 'host']", "['authorization', 'host']"],
    ["['authorization', 'expect', 'host']", "['expect', 'host']"],
    ["  'proxy-authorization',\n", ''],
  ]),
  ...mutantsOf('adapters/kube/proxy/proxy.ts', proxy, [
    ['if (!isAllowed(request)) return', 'if (false) return'],
    ["server.listen(0, '127.0.0.1'", "server.listen(0, '0.0.0.0'"],
    ["if (!path.startsWith('/')) return", 'if (false) return'],
  ]),
  ...mutantsOf('domain/labelling/request.ts', proxy, [
    ["segment !== '.' && segment !== '..'", 'true'],
    ['plural === undefined || subresource !== undefined) return undefined', 'plural === undefined) return undefined'],
    [' || /(?:^|&)dryRun=[^&]/.test(query)', ''],
  ]),
  ...mutantsOf(
    'adapters/http/redirects.ts',
    ['unit/http/redirects'],
    [
      ["url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:')", 'true'],
      ['url.origin === next.url.origin ?', 'true ?'],
      ['!secret.has(name.toLowerCase())', 'true'],
      ['tries >= mostRedirects', 'tries >= 1000'],
    ],
  ),
  ...mutantsOf(
    'adapters/http/through.ts',
    ['unit/http/dial'],
    [
      ['if (statusCode < 200 || statusCode > 299) return', 'if (false) return'],
      ['if (head.length > 0) socket.unshift(head)', ''],
      ["...defined({ 'proxy-authorization': authorization })", ''],
    ],
  ),
  ...mutantsOf(
    'adapters/http/proxy.ts',
    ['unit/http/proxy', 'unit/http/dial'],
    [
      ['({ host, protocol }: URL): string => `${protocol}//${host}`', '({ href }: URL): string => href'],
      ['if (isThisMachine(server.hostname)) return', 'if (false) return'],
      [" ?? variable(env, 'ALL_PROXY')", ''],
      ['isExcepted(noProxy, { host: server.hostname, port }) ?', 'false ?'],
    ],
  ),
  ...mutantsOf(
    'adapters/http/trust.ts',
    ['unit/http/variables'],
    [
      ['...extra, ...named', '...named'],
      ['...extra, ...named', '...extra'],
      [".split(':')", ''],
    ],
  ),
  ...mutantsOf('adapters/registry/origin.ts', registry, [
    ["because === 'NotTls' && (await credentials.of(host)) === undefined", "because === 'NotTls'"],
  ]),
  ...mutantsOf('adapters/registry/tokens.ts', registry, [
    ["url.protocol === 'http:' && !isLoopback(url.hostname)", 'false'],
  ]),
  ...mutantsOf(
    'domain/build/token.ts',
    ['unit/registry/token'],
    [['if (!/^[\\x21-\\x7e]+$/.test(token)) return undefined', '']],
  ),
  ...mutantsOf(
    'adapters/buildkit/secure.ts',
    ['unit/buildkit/secure', 'unit/buildkit/rpc-dial'],
    [['checkServerIdentity(serverName, certificate)', 'undefined']],
  ),
  ...mutantsOf(
    'adapters/node-fs/files.ts',
    ['contract/files'],
    [['within !== undefined && realPathWithin(within, full) === undefined', 'false']],
  ),
  ...mutantsOf(
    'adapters/paths/within.ts',
    ['contract/files', 'unit/buildkit/confined', 'unit/buildkit/secrets'],
    [
      ["way === '..' || ", ''],
      [' || way.startsWith(`..${rules.sep}`)', ''],
      ['return realpathSync.native(path)', 'return path'],
      ['if (isAt(fd, full)) return fd', 'return fd'],
    ],
  ),
  ...mutantsOf(
    'adapters/http/no-proxy.ts',
    ['unit/http/proxy'],
    [
      ['nets.addSubnet(base, bits, familyOf(base))', 'nets.addSubnet(base, 8, familyOf(base))'],
      ["name.startsWith('.') ? name : `.${name}`", 'name'],
      ['if (only !== undefined && only !== port) return', 'if (false) return'],
    ],
  ),
]
