/** Words that mutations insert into Compose files, separated by ` · `. */
import type { Value } from '../../../src/domain/print/value.ts'

const words = (...lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.flatMap((line) => line.split(' · '))

/** Inserted into the file in place of a YAML value. */
export const SCALARS: ReadonlyArray<string> = [
  '',
  ...words(
    '~ · null · yes · 08 · 0x1F · 1e999 · -1 · .inf · 99999999999999999999 · 1_0 · 12:30 · 2024-01-01',
    '[] · {} · [a, [b]] · {a: b} · - x · " · \' · | · >- · ? · *a · &a · !reset · !override x · !!int "1" · !x',
    '$ · $$ · ${ · ${} · ${A · ${A:-${B:-${C}}} · ${A:?} · ${1} · $(x) · ${SET} · "${A:-\\"}"',
    '../../etc/passwd · /dev/stdin · C:\\x · \\\\host\\x · / · . · .. · // · a/../.. · CON · /a:b · a\0b',
    '80 · 0 · 65536 · 80:80 · 1-65535 · 80-90:80-91 · ::1:80:80 · 5432:5432 · 53/udp · 80/x · 1s · 1h1 · -5s · 1.5',
    '512m · 1Ei · 0.0001 · 1e3Gi · all · host · service:web · none · on-failure:x · global · UPPER · a..b · - · _ · é · 😀',
    '"\\u0000" · "\\x1b[31m" · __proto__ · constructor · toString · unix:///var/run/docker.sock',
  ),
  'x'.repeat(300),
]

export const KEYS: ReadonlyArray<string> = words(
  'image · build · command · entrypoint · environment · env_file · ports · expose · volumes · depends_on · links',
  'healthcheck · labels · deploy · resources · restart · scale · networks · configs · secrets · extends · profiles',
  'user · tmpfs · shm_size · extra_hosts · dns · dns_search · sysctls · hostname · domainname · container_name',
  'network_mode · pid · cpus · mem_limit · gpus · platform · security_opt · group_add · volumes_from · x-node-selector',
  'annotations · label_file · pre_start · post_start · stop_grace_period · include · name · services · endpoints · <<',
  'test · interval · http · condition · target · source · type · mode · published · external · file · content · driver_opts',
  'dev · sync · forward · reverse · destroy · dependencies · commands · compose · selector · lifecycle · timeout · context',
)

/** Inserted anywhere in the text. */
export const FRAGMENTS: ReadonlyArray<string> = [
  ...words(
    '$ · ${ · } · : · " · \' · [ · ] · { · , · | · > · &a · *a · ! · !!str · ? · \t · \0 · \r · \r\n · 😀 · \u001b[2J',
  ),
  ...words('\u0085 · \u2028 · \ufeff · \u202e · \ud800 · %YAML 1.1\n · ---\n · ...\n · <<: *a\n · \n'),
  ...[': ', ' #', '- ', '  '],
]

/** Inserted into the data in place of a value. */
export const UNLIKELY: ReadonlyArray<Value> = [
  ...words('A.b/C · a/B · a b · a\nb · \0 · \u001b[2J · é · \ud800 · UPPER · a_b · a..b · -a · a- · . · .. · / · //'),
  ...words(
    'C:\\x · /a:b · /a/../.. · ../.. · /dev/stdin · a/b/c · a=b · a:b · = · : · @ · 1 · 0 · -1 · 65536 · 1e3 · 0x1f',
  ),
  ...words(
    'http://a · ::1 · [::1] · 1.2.3.4 · 300.1.1.1 · 2147483648 · 99999999999 · host · all · no · $$(x) · $$$$ · * · % · "',
  ),
  ...['', ' ', 'x'.repeat(300), 0, -1, 1, 1.5, 65_536, 2 ** 31, 2 ** 53, true, false, null],
  [],
  ['a', 'a'],
  new Map(),
  new Map([['', '']]),
  new Map([['a b', 'c']]),
]
